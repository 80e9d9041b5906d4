import { type StartedNetwork, startNetwork } from '@understudy/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createProvider, type UnderstudyProvider } from '../src/index.ts'
import { rpc } from '../src/network.ts'

let network: StartedNetwork
let provider: UnderstudyProvider

// Node.js has its own since version 22.
beforeAll(() => vi.stubGlobal('WebSocket', WebSocket))
afterAll(() => vi.unstubAllGlobals())
beforeEach(async () => {
  network = await startNetwork({ accounts: 2 })
  provider = createProvider({ urls: [network.url] })
}, 60_000)
afterEach(() => network.stop())

const request = (method: string, ...params: unknown[]) => provider.request({ method, params })

/** Answers the request that waits in the dashboard. */
async function answer(isApproved: boolean, account?: string): Promise<void> {
  type Waiting = { requests: { id: string; method: string }[] }
  const { requests } = await vi.waitFor(async () => {
    const waiting = await rpc<Waiting>(network.url, 'dev_getWalletRequests')
    expect(waiting.requests).toHaveLength(1)
    return waiting
  }, 20_000)
  await rpc(network.url, 'dev_answerWalletRequest', [requests[0]?.id, isApproved, account])
}

it('offers another account to a page that asks for permissions again', async () => {
  const events: unknown[] = []
  provider.on('connect', () => events.push('connect')).on('accountsChanged', (list) => events.push(list))
  const [first, second] = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2']
  const asked = async (permissions: object, isApproved: boolean, account?: string) => {
    const asking = request('wallet_requestPermissions', permissions)
    asking.catch(() => {})
    await answer(isApproved, account)
    return asking
  }
  const granted = (account: string) => [
    { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [account] }] },
  ]
  expect(await asked({ eth_accounts: {} }, true, first)).toEqual(granted(first))
  expect(await asked({ eth_accounts: {} }, true, second)).toEqual(granted(second))
  await expect(asked({ eth_accounts: {} }, false)).rejects.toMatchObject({ code: 4001 })
  expect(await request('eth_accounts')).toEqual([second])
  expect(await request('eth_requestAccounts')).toEqual([second])
  expect(events).toEqual(['connect', [first], [second]])
  await expect(request('wallet_requestPermissions', { snaps: {} })).rejects.toMatchObject({ code: -32602 })
})

it('watches every asset', async () => {
  const options = { address: '0x00000000000000000000000000000000000000a1', symbol: 'A', decimals: 18 }
  const params = { type: 'ERC20', options }
  expect(await provider.request({ method: 'wallet_watchAsset', params })).toBe(true)
  await expect(provider.request({ method: 'wallet_watchAsset', params: { type: 'ERC20' } })).rejects.toMatchObject({
    code: -32602,
  })
})

it('tells of subscriptions by message events, and of their end', async () => {
  const messages: unknown[] = []
  const ends: unknown[] = []
  const listener = (message: unknown) => messages.push(message)
  provider.on('message', listener).on('disconnect', (error) => ends.push(error.code))
  await rpc(network.url, 'dev_setMiningMode', ['manual'])
  const head = Number(await rpc(network.url, 'eth_blockNumber'))
  const numberAfter = (blocks: number) => expect.objectContaining({ number: `0x${(head + blocks).toString(16)}` })
  const [heads, logs] = [await request('eth_subscribe', 'newHeads'), await request('eth_subscribe', 'logs', {})]
  expect(heads).not.toBe(logs)
  await rpc(network.url, 'evm_mine')
  await vi.waitFor(() => expect(messages).toHaveLength(1), 20_000)
  expect(messages).toEqual([{ type: 'eth_subscription', data: { subscription: heads, result: numberAfter(1) } }])
  expect(await request('eth_unsubscribe', heads)).toBe(true)
  expect(await request('eth_unsubscribe', heads)).toBe(false)
  await expect(request('eth_subscribe', 'nothing')).rejects.toMatchObject({ code: -32602 })
  const again = await request('eth_subscribe', 'newHeads')
  await rpc(network.url, 'evm_mine')
  await vi.waitFor(() => expect(messages).toHaveLength(2), 20_000)
  expect(messages[1]).toMatchObject({ data: { subscription: again, result: numberAfter(2) } })
  provider.removeListener('message', listener)
  await network.stop()
  await vi.waitFor(() => expect(ends).toEqual([4900]), 20_000)
  await expect(request('eth_subscribe', 'newHeads')).rejects.toMatchObject({ code: 4900 })
})
