import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
  testAccounts,
} from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

let anvil: Anvil
let live: TestClient
let other: Anvil
let otherUpstream: TestClient
let counter: Address
let network: TestNetwork

const { abi } = artifacts.Counter
const alice = testAccounts[0].address
const bob = testAccounts[1].address
const stranger = '0x00000000000000000000000000000000000000aa'
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`
const count = () => network.client.readContract({ address: counter, abi, functionName: 'number' })
const reset = (forking?: { jsonRpcUrl?: string; blockNumber?: Hex }) =>
  network.rpc<boolean>('anvil_reset', ...(forking ? [{ forking }] : []))
const head = () => network.client.getBlockNumber()
const chainId = () => network.rpc<Hex>('eth_chainId')

beforeAll(async () => {
  anvil = await startAnvil()
  live = await connectClient(anvil.url)
  counter = await deployContract(live, artifacts.Counter, [0n])
  for (let times = 0; times < 5; times++)
    await requireSuccess(live, await live.writeContract({ address: counter, abi, functionName: 'increment' }))
  other = await startAnvil({ args: ['--chain-id', '4444'] })
  otherUpstream = await connectClient(other.url)
  await otherUpstream.mine({ blocks: 30 })
  await requireSuccess(otherUpstream, await otherUpstream.sendTransaction({ to: stranger, value: 77n }))
})
afterAll(async () => {
  await anvil?.stop()
  await other?.stop()
})
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [anvil.url], forkBlockNumber: 4n })
})
afterEach(() => network?.stop())

it('goes to other blocks of the live chain, and stays there', async () => {
  expect([await head(), await count()]).toEqual([4n, 3n])
  await requireSuccess(
    network.client,
    await network.client.writeContract({ address: counter, abi, functionName: 'increment' }),
  )
  await network.rpc('dev_setBalance', stranger, '5')
  expect(await reset({ blockNumber: '0x2' })).toBe(true)
  expect([await head(), await count()]).toEqual([2n, 1n])
  expect(await network.client.getBalance({ address: stranger })).toBe(0n)
  expect(await network.client.getBalance({ address: alice })).toBe(10_000n * 10n ** 18n)
  await network.client.sendTransaction({ to: bob, value: 1n })
  await network.restart()
  expect([await head(), await count()]).toEqual([3n, 1n])
  await reset()
  expect(await head()).toBe(2n)
  await reset({ blockNumber: '0x6' })
  expect([await head(), await count()]).toEqual([6n, 5n])
  await reset({ jsonRpcUrl: anvil.url })
  expect(await head()).toBe(await live.getBlockNumber())
})

it('goes to another live chain and back, with what was said about contracts and without what was of the blocks', async () => {
  const override = { contractAddress: counter, functionAbi: 'function f() returns (uint256)', returnValues: ['1'] }
  await network.rpc('dev_addFunctionOverride', override)
  await network.rpc('dev_impersonateAccount', stranger)
  const hash = await network.client.sendTransaction({ to: bob, value: 1n })
  await reset({ jsonRpcUrl: other.url })
  expect(await chainId()).toBe('0x115c')
  expect(await head()).toBe(await otherUpstream.getBlockNumber())
  expect(await network.client.getBalance({ address: stranger })).toBe(77n)
  expect(await network.client.getCode({ address: counter })).toBeUndefined()
  expect(await network.rpc('eth_getTransactionReceipt', hash)).toBeNull()
  expect(await network.rpc('dev_getFunctionOverrides')).toHaveLength(1)
  expect(await network.rpc('dev_getImpersonatedAccounts')).toEqual([stranger])
  const client = await connectClient(network.url)
  await requireSuccess(client, await client.sendTransaction({ to: bob, value: 1n }))

  await network.restart()
  expect(await chainId()).toBe('0x115c')
  expect(await network.client.getBalance({ address: stranger })).toBe(77n)
  // It follows that chain now.
  const next = (await otherUpstream.getBlockNumber()) + 1n
  await otherUpstream.mine({ blocks: 1 })
  await eventually(
    () => network.rpc<{ baseBlock: number }>('dev_getNetworkInfo'),
    (info) => JSON.stringify(info).includes(String(next)),
  )
  await reset({ jsonRpcUrl: anvil.url, blockNumber: '0x3' })
  expect([await chainId(), await head(), await count()]).toEqual(['0x7a69', 3n, 2n])
})

it('changes nothing when the other chain or the block is not there', async () => {
  await network.client.sendTransaction({ to: bob, value: 1n })
  const before = await network.client.getBlock()
  await expect(reset({ jsonRpcUrl: 'http://127.0.0.1:1' })).rejects.toThrow(
    'no chain that can be forked answered at that URL',
  )
  await expect(reset({ jsonRpcUrl: 'ftp://nowhere' })).rejects.toThrow('http')
  await expect(reset({ blockNumber: '0xffffff' })).rejects.toThrow('header not found')
  expect(await network.client.getBlock()).toEqual(before)
})

it('keeps connections, subscriptions and filters, and lets requests wait', async () => {
  const socket = new WebSocket(network.url.replace('http', 'ws'))
  await new Promise((resolve) => socket.once('open', resolve))
  const messages: { method?: string; params?: { result: { number: Hex } } }[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  const filter = await network.rpc<Hex>('eth_newBlockFilter')
  const [, ...numbers] = await Promise.all([
    reset({ blockNumber: '0x2' }),
    ...Array.from({ length: 20 }, () => network.rpc<Hex>('eth_blockNumber')),
  ])
  expect(numbers.every((number) => ['0x4', '0x2'].includes(number as string))).toBe(true)
  await Promise.all([reset({ blockNumber: '0x3' }), reset({ blockNumber: '0x3' })])
  await network.client.sendTransaction({ to: bob, value: 1n })
  const { hash, number } = await network.client.getBlock()
  expect(number).toBe(4n)
  await eventually(
    async () =>
      messages.filter(({ method }) => method === 'eth_subscription').map(({ params }) => params?.result.number),
    (heads) => heads.includes(quantity(number)),
  )
  expect(await network.rpc('eth_getFilterChanges', filter)).toContain(hash)
  socket.terminate()
})

it('tells nothing of what answers at a URL that is no live chain', async () => {
  const servers = [404, 401, 500, 200].map((status) =>
    createServer((_request, response) => void response.writeHead(status).end('secret of an inner service')),
  )
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/inner`)
  const refusals = await Promise.all(
    [...urls, 'http://127.0.0.1:1'].flatMap((jsonRpcUrl) =>
      [reset({ jsonRpcUrl }), network.rpc('anvil_setRpcUrl', jsonRpcUrl)].map((answer) =>
        answer.catch(({ code, details }) => ({ code, details })),
      ),
    ),
  )
  for (const server of servers) server.close()
  expect(new Set(refusals.map((refusal) => JSON.stringify(refusal)))).toEqual(
    new Set([
      JSON.stringify({
        code: -32002,
        details: 'no chain that can be forked answered at that URL. The log of the network has the reason',
      }),
    ]),
  )
  expect(await count()).toBe(3n)
}, 30_000)

it('reads the same chain at another URL, and keeps what is local', async () => {
  const proxy = await startFaultProxy(anvil.url)
  const url = `${proxy.url}/v2/secret-key-of-an-account`
  const forkUrl = async () => (await network.rpc<{ upstream: { url: string } }>('dev_getNetworkInfo')).upstream.url
  await network.client.sendTransaction({ to: bob, value: 1n })
  await network.rpc('dev_setBalance', stranger, '5')
  await network.rpc('evm_increaseTime', 1000)
  const snapshot = await network.rpc('evm_snapshot')
  await network.rpc('evm_setAutomine', false)
  const waiting = await network.rpc<Hex>('eth_sendTransaction', { from: alice, to: bob, value: '0x2' })
  const before = await network.client.getBlock()
  const check = async () => {
    expect(await network.client.getBlock()).toEqual(before)
    expect(await network.client.getBalance({ address: stranger })).toBe(5n)
    expect(await network.rpc('txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(await forkUrl()).toBe(`${proxy.url}/***`)
  }
  for (const refused of [other.url, network.url, 'nonsense'])
    await expect(network.rpc('anvil_setRpcUrl', refused)).rejects.toMatchObject({ code: -32002 })
  await expect(reset({ jsonRpcUrl: network.url })).rejects.toMatchObject({ code: -32002 })
  expect(await forkUrl()).toMatch(anvil.url)
  expect(await network.rpc('anvil_setRpcUrl', url)).toBeNull()
  await check()
  await network.restart()
  await check()
  expect(await count()).toBe(3n)
  expect(proxy.stats().requests).toBeGreaterThan(0)
  await network.rpc('evm_mine')
  expect((await network.client.getTransactionReceipt({ hash: waiting })).status).toBe('success')
  expect(await network.rpc('evm_revert', snapshot)).toBe(true)
  expect(await network.rpc('hardhat_setRpcUrl', anvil.url)).toBeNull()
  expect(await forkUrl()).toMatch(anvil.url)
  await proxy.stop()
})

it.each([{ resetToUrl: false }, { insecure: true }])('goes to no other URL with %j', async (options) => {
  await network.restart(options)
  await expect(reset({ jsonRpcUrl: other.url })).rejects.toMatchObject({ code: -32004 })
  await expect(network.rpc('anvil_setRpcUrl', anvil.url)).rejects.toMatchObject({ code: -32004 })
  await reset({ blockNumber: '0x3' })
  expect(await head()).toBe(3n)
})

it('tells whole URLs of branches after a reset and after a change of its URL, and names itself anew by a reset', async () => {
  const instance = async () => (await network.rpc<{ instanceId: Hex }>('hardhat_metadata')).instanceId
  const begun = await instance()
  await reset({ jsonRpcUrl: anvil.url, blockNumber: '0x3' })
  const anew = await instance()
  expect(anew).not.toBe(begun)
  await network.rpc('anvil_setRpcUrl', anvil.url)
  expect(await instance()).toBe(anew)
  const made = { url: `${network.url}/n/b`, wsUrl: `${network.url.replace('http', 'ws')}/n/b` }
  expect(await network.rpc('dev_createBranch', { name: 'b' })).toMatchObject(made)
  expect(await network.rpc('dev_getBranches')).toMatchObject([made])
})
