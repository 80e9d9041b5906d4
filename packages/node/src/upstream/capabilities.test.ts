import { type Anvil, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../shared/logger.ts'
import { createUpstream } from './upstream.ts'

let anvil: Anvil
let proxy: FaultProxy
beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
})
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
})

test('what upstream offers is asked once, and logged in one line', async () => {
  const logs: string[] = []
  const logger = createLogger('debug', { write: (line) => logs.push(line) })
  const upstream = createUpstream({ urls: [proxy.url] }, { logger })
  const [found] = await Promise.all([upstream.capabilities(), upstream.capabilities()])
  const { requests } = proxy.stats()
  expect(await upstream.capabilities()).toBe(found)
  expect(proxy.stats().requests).toBe(requests)
  expect(found).toMatchInlineSnapshot(`
    {
      "batch": 100,
      "blockAccessList": false,
      "blockReceipts": true,
      "clientVersion": "anvil/v1.7.1",
      "createAccessList": true,
      "prestateTracer": true,
      "proof": true,
      "replayBlock": true,
      "traceBlock": true,
      "traceBlockByHash": true,
    }
  `)
  expect(logs.map((line) => JSON.parse(line).msg)).toEqual(["Detected upstream's capabilities"])
  await upstream.stop()
})

test('methods that are missing and batches that are refused are found out', async () => {
  proxy.set({
    refuseBatches: 'object',
    missingMethods: ['eth_createAccessList', 'debug_traceCall', 'debug_traceBlockByNumber'],
    answer: ({ method }) =>
      method === 'eth_getProof'
        ? { error: { code: -32000, message: 'eth_getProof is not available on the Free tier' } }
        : /^debug_traceBlockByHash|^web3_clientVersion/.test(method)
          ? { error: { code: -32000, message: 'archive and debug data need another plan' } }
          : undefined,
  })
  const upstream = createUpstream({ urls: [proxy.url] }, { logger: createLogger('silent') })
  expect(await upstream.capabilities()).toMatchObject({
    batch: 1,
    createAccessList: false,
    prestateTracer: false,
    traceBlock: false,
    traceBlockByHash: false,
    clientVersion: '',
    proof: false,
    blockReceipts: true,
  })
  proxy.clear()
  await upstream.stop()
})
