import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

const keys = { greedy: 'greedy-5ecret-00001', other: 'other-5ecret-000002' }

let network: TestNetwork
beforeAll(async () => {
  network = await startNetwork({
    apiKeys: Object.values(keys).map((key) => `${key}:admin`),
    filterLimit: 6,
    webSocketLimit: 6,
    totalSubscriptionLimit: 6,
  })
})
afterAll(() => network.stop())

async function call(key: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(network.url, { method: 'POST', headers: { 'x-api-key': key }, body })
  return (await response.json()) as { result?: string; error?: unknown }
}

describe('a key that takes all it can', () => {
  it.each([
    ['eth_newFilter', [{}]],
    ['eth_newBlockFilter', []],
    ['eth_newPendingTransactionFilter', []],
  ])('of %s leaves some for another', async (method, params) => {
    const taken = []
    let answer = await call(keys.greedy, method, ...params)
    for (; answer.result !== undefined; answer = await call(keys.greedy, method, ...params)) taken.push(answer.result)
    expect(taken).toHaveLength(3)
    expect(answer).toMatchObject({ error: { code: -32005, message: expect.stringContaining('--filter-limit') } })
    const { result } = await call(keys.other, method, ...params)
    for (const id of [...taken, result]) await call(keys.other, 'eth_uninstallFilter', id)
    expect(result).toMatch(/^0x/)
  })

  it('of subscriptions leaves some for another, and has them again when its connection is closed', async () => {
    const open = (key: string) => openSocket(network.url, { 'x-api-key': key })
    const [first, second, other] = [await open(keys.greedy), await open(keys.greedy), await open(keys.other)]
    await first.request('eth_subscribe', 'newHeads')
    await first.request('eth_subscribe', 'logs', {})
    await second.request('eth_subscribe', 'newHeads')
    await expect(second.request('eth_subscribe', 'newHeads')).rejects.toMatchObject({
      code: -32005,
      message: expect.stringContaining('--total-subscription-limit'),
    })
    expect(await other.request('eth_subscribe', 'newHeads')).toMatch(/^0x/)
    await first.close()
    await eventually(
      () => second.request('eth_subscribe', 'newHeads').catch(() => undefined),
      (id) => id !== undefined,
    )
    for (const socket of [second, other]) await socket.close()
  })

  it('of WebSocket connections leaves some for another, and has them again when they are closed', async () => {
    const open = (key: string) => openSocket(network.url, { 'x-api-key': key })
    const taken = [await open(keys.greedy), await open(keys.greedy), await open(keys.greedy)]
    await expect(open(keys.greedy)).rejects.toThrow('HTTP 503')
    const other = await open(keys.other)
    expect(await other.request('eth_chainId')).toBe('0x7a69')
    for (const socket of [...taken, other]) await socket.close()
    const again = await eventually(
      () => open(keys.greedy).catch(() => undefined),
      (opened) => opened !== undefined,
    )
    await again?.close()
  })
})
