import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { type FaultProxy, startFaultProxy } from './faultProxy.ts'
import { postJsonRpc } from './jsonRpc.ts'

let anvil: Anvil
let proxy: FaultProxy

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
})
afterEach(() => {
  proxy.clear()
  proxy.resetStats()
})
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
})

const call = (id: number, method = 'eth_chainId', params: unknown[] = []) => ({ jsonrpc: '2.0', id, method, params })
const post = (body: unknown) =>
  fetch(proxy.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('without faults, calls and batches pass and are counted', async () => {
  expect(await postJsonRpc(proxy.url, 'eth_chainId', [])).toBe('0x7a69')
  const batch = await post([call(1), call(2, 'eth_blockNumber')])
  expect(await batch.json()).toMatchObject([
    { id: 1, result: '0x7a69' },
    { id: 2, result: '0x0' },
  ])
  expect(proxy.stats()).toEqual({
    requests: 2,
    batches: 1,
    calls: 3,
    byMethod: { eth_chainId: 2, eth_blockNumber: 1 },
    largestBatch: 2,
    maxInFlight: 1,
  })
})

test('a status with headers is answered for as many requests as asked', async () => {
  proxy.next(1, { status: 429, headers: { 'retry-after': '2' } })
  const refused = await post(call(1))
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
  expect((await post(call(1))).status).toBe(200)
})

test('items of a batch are limited while the others are answered', async () => {
  proxy.set({ limitItems: [1] })
  const answers = await (await post([call(1), call(2), call(3)])).json()
  expect(answers).toMatchObject([
    { id: 1, result: '0x7a69' },
    { id: 2, error: { code: 429 } },
    { id: 3, result: '0x7a69' },
  ])
})

test('batches are refused in three ways, and by their size', async () => {
  proxy.set({ refuseBatches: 'status' })
  expect((await post([call(1)])).status).toBe(400)
  proxy.set({ refuseBatches: 'object' })
  expect(await (await post([call(1)])).json()).toMatchObject({ id: null, error: { code: -32600 } })
  proxy.set({ refuseBatches: 'empty' })
  expect(await (await post([call(1)])).json()).toEqual([])
  proxy.set({ refuseBatches: undefined, maxBatch: 1 })
  expect(await (await post([call(1), call(2)])).json()).toMatchObject({ error: { code: -32600 } })
  expect(await (await post([call(1)])).json()).toMatchObject([{ result: '0x7a69' }])
})

test('methods are missing, state is pruned, and a hook answers instead of the upstream', async () => {
  proxy.set({
    missingMethods: ['eth_getProof'],
    prunedBelow: 5,
    answer: ({ method }) => (method === 'eth_gasPrice' ? { result: '0x1' } : undefined),
  })
  await expect(postJsonRpc(proxy.url, 'eth_getProof', [])).rejects.toMatchObject({ code: -32601 })
  await expect(postJsonRpc(proxy.url, 'eth_getCode', [anvil.url, '0x4'])).rejects.toThrow('missing trie node')
  expect(await postJsonRpc(proxy.url, 'eth_gasPrice', [])).toBe('0x1')
})

test('answers are cut, connections reset, and the proxy goes down and comes back on its port', async () => {
  proxy.next(1, { truncate: true })
  await expect((await post(call(1))).json()).rejects.toThrow(SyntaxError)
  proxy.next(1, { reset: true })
  await expect(post(call(1))).rejects.toThrow('fetch failed')
  await proxy.down()
  await expect(post(call(1))).rejects.toThrow('fetch failed')
  await proxy.up()
  expect((await post(call(1))).status).toBe(200)
})

test('held requests wait until they are released', async () => {
  const release = proxy.hold()
  const answers = Promise.all([post(call(1)), post(call(2))])
  await proxy.arrived(2)
  expect(proxy.stats().maxInFlight).toBe(2)
  release()
  expect((await answers).map(({ status }) => status)).toEqual([200, 200])
})

test('a delay is added to every request', async () => {
  proxy.set({ delayMs: 50 })
  const start = performance.now()
  await post(call(1))
  expect(performance.now() - start).toBeGreaterThanOrEqual(49)
})
