import { type StartedNetwork, startNetwork } from '@understudy/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createProvider, type UnderstudyProvider } from '../src/index.ts'
import { rpc } from '../src/network.ts'

let networks: StartedNetwork[]
let provider: UnderstudyProvider

beforeAll(async () => {
  networks = await Promise.all([5001, 5002].map((chainId) => startNetwork({ accounts: 2, chainId })))
  for (const { url } of networks) await rpc(url, 'dev_setWalletApproval', [true])
  provider = createProvider({ urls: [urlOf(0)] })
}, 60_000)
afterAll(() => Promise.all(networks.map((network) => network.stop())))

const urlOf = (index: number) => networks[index]?.url ?? ''
const request = (method: string, ...params: unknown[]) => provider.request({ method, params })
const add = (chainId: string, ...rpcUrls: unknown[]) => request('wallet_addEthereumChain', { chainId, rpcUrls })

it('adds a running network, and changes to it', async () => {
  const events: unknown[] = []
  provider.on('chainChanged', (id) => events.push(id))
  await request('eth_requestAccounts')
  await expect(request('wallet_switchEthereumChain', { chainId: '0x138a' })).rejects.toMatchObject({ code: 4902 })
  await add('0x138a', 'http://127.0.0.1:1', urlOf(1))
  expect(await request('eth_chainId')).toBe('0x138a')
  const [from] = (await request('eth_accounts')) as string[]
  const hash = await request('eth_sendTransaction', { from, to: from, value: '0x1' })
  expect(await rpc(urlOf(1), 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  await request('wallet_switchEthereumChain', { chainId: '0x1389' })
  expect(await rpc(urlOf(0), 'eth_getTransactionReceipt', [hash])).toBeNull()
  expect(events).toEqual(['0x138a', '0x1389'])
})

it('refuses what it cannot add', async () => {
  const refused = (...rpcUrls: unknown[]) => expect(add('0x1', ...rpcUrls)).rejects
  await refused(urlOf(1)).toMatchObject({ code: -32602, message: expect.stringContaining('chain id 0x138a, not 0x1') })
  await refused('http://127.0.0.1:1', 7, 'none').toMatchObject({ code: -32602 })
  await expect(request('wallet_switchEthereumChain', { chainId: 'one' })).rejects.toMatchObject({ code: -32602 })
  await expect(request('dev_setWalletApproval', true)).rejects.toMatchObject({ code: 4200 })
  const from = '0x00000000000000000000000000000000000000aa'
  await expect(request('eth_sendTransaction', { from })).rejects.toMatchObject({ code: 4100 })
})

it.each(['', '/rpc/any'])('asks on the page of a branch, with the URL %s', async (suffix) => {
  const { url: branch } = await rpc<{ url: string }>(urlOf(0), 'dev_createBranch', [{ name: `idea${suffix.length}` }])
  await rpc(branch, 'dev_setWalletApproval', [false])
  const opened: string[] = []
  vi.stubGlobal('open', (url: string) => void opened.push(url))
  try {
    const connected = createProvider({ urls: [branch + suffix] }).request({ method: 'eth_requestAccounts' })
    connected.catch(() => {})
    await vi.waitFor(() => expect(opened).toEqual([`${branch}/wallet`]), 20_000)
    const { requests } = await rpc<{ requests: { id: string }[] }>(branch, 'dev_getWalletRequests')
    await rpc(branch, 'dev_answerWalletRequest', [requests[0]?.id, false])
    await expect(connected).rejects.toMatchObject({ code: 4001 })
  } finally {
    vi.unstubAllGlobals()
  }
})
