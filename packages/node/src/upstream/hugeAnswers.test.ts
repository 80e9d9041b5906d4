import { gzipSync } from 'node:zlib'
import { type Anvil, createFakeClock, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { jsonDepthLimit, jsonItemLimit } from '../shared/json/boundedJson.ts'
import { createLogger } from '../shared/logger.ts'
import { errorKind, UpstreamRpcError } from './transport/rpcError.ts'
import { createUpstream, type Upstream } from './upstream.ts'

let anvil: Anvil
let bad: FaultProxy
let good: FaultProxy
let upstream: Upstream

beforeAll(async () => {
  anvil = await startAnvil()
  bad = await startFaultProxy(anvil.url)
  good = await startFaultProxy(anvil.url)
})
afterAll(() => Promise.all([bad.stop(), good.stop(), anvil.stop()]))
afterEach(() => {
  bad.clear()
  return upstream.stop()
})

const gzip = (text: string) => ({ body: gzipSync(text), headers: { 'content-encoding': 'gzip' } })
const answer = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`

it.each([
  ['200 MB in 200 KB of gzip', () => gzip(answer(`"${'0'.repeat(200e6)}"`)), 'answered more than 33554432 bytes'],
  ['more bytes than it may have', () => ({ body: Buffer.alloc(40e6, 32) }), 'answered more than 33554432 bytes'],
  [
    'lists in lists',
    () => gzip(answer('['.repeat(1e5) + ']'.repeat(1e5))),
    `answered JSON nested more than ${jsonDepthLimit} deep`,
  ],
  [
    'a list without end',
    () => gzip(answer(`[${'0,'.repeat(jsonItemLimit)}0]`)),
    `answered JSON with more than ${jsonItemLimit} values`,
  ],
])('%s is a failure of the URL, and the next one serves', async (_what, faults, problem) => {
  const clock = createFakeClock()
  const logged: string[] = []
  const logger = { ...createLogger('silent'), warn: (fields: object) => void logged.push(JSON.stringify(fields)) }
  upstream = createUpstream({ urls: [bad.url, good.url] }, { logger: logger as never, clock, random: () => 0.5 })
  await upstream.request('eth_blockNumber', [])
  bad.set(faults())
  clock.skipUpTo(5_000)
  const before = process.memoryUsage().rss
  expect(await upstream.request('eth_gasPrice', [])).toMatch(/^0x/)
  expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
  expect(logged.join()).toContain(problem)
  expect(upstream.status().url).toBe(good.url)
})

it.each(['debug_traceBlockByHash', 'trace_block', 'eth_getLogs'])(
  'a result of %s that is too large is refused once, and the URL goes on serving',
  async (method) => {
    upstream = createUpstream({ urls: [bad.url, good.url] }, { logger: createLogger('silent') })
    await upstream.request('eth_blockNumber', [])
    bad.resetStats()
    bad.next(1, { body: Buffer.alloc(40e6, 32) })
    const error = await upstream.request(method, []).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'UPSTREAM_ERROR', cause: expect.any(UpstreamRpcError) })
    expect(errorKind((error as { cause: UpstreamRpcError }).cause)).toBe('too much')
    expect(await upstream.request('eth_gasPrice', [])).toMatch(/^0x/)
    expect(bad.stats().byMethod).toEqual({ [method]: 1, eth_gasPrice: 1 })
  },
)
