import {
  type Anvil,
  createFakeClock,
  type FakeClock,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
  wideRefusals,
} from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../upstream.ts'

const blocks = 200
const account = `0x${'11'.repeat(20)}`
let anvil: Anvil
let first: FaultProxy
let second: FaultProxy
let clock: FakeClock
const open: Upstream[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  await anvil.rpc('anvil_mine', [blocks])
  first = await startFaultProxy(anvil.url)
  second = await startFaultProxy(anvil.url)
})
beforeEach(() => {
  clock = createFakeClock()
  clock.skipUpTo(1_000)
})
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.stop()
  for (const proxy of [first, second]) {
    proxy.clear()
    proxy.resetStats()
  }
})
afterAll(async () => {
  for (const server of [first, second, anvil]) await server.stop()
})

async function connect(options: Partial<UpstreamOptions> = {}): Promise<Upstream> {
  const urls = [first.url, second.url] as const
  const upstream = createUpstream({ urls, ...options }, { logger: createLogger('silent'), clock, random: () => 1 })
  open.push(upstream)
  await upstream.start()
  return upstream
}

const found = (upstream: Upstream) => upstream.profiles()[first.url]

test('a batch stays below the bytes that were refused', async () => {
  first.set({ maxBatchBytes: 8_192 })
  const upstream = await connect({ urls: [first.url] })
  const callsOf = (round: number) =>
    Array.from({ length: 40 }, (_, index) =>
      upstream.request('eth_call', [
        { to: account, data: `0x${(round * 64 + index).toString(16).padStart(1_000, '0')}` },
      ]),
    )
  expect(await Promise.all(callsOf(0))).toEqual(Array(40).fill('0x'))
  for (let round = 1; round < 20; round++) await Promise.all(callsOf(round))
  expect(found(upstream)?.refusedBatchBytes).toBeGreaterThan(8_192)
  expect(found(upstream)?.refusedBatchBytes).toBeLessThan(10_000)
  first.resetStats()
  expect(await Promise.all(callsOf(20))).toEqual(Array(40).fill('0x'))
  // Each call once: no batch was refused, and as many calls are in one as fit, or one less.
  expect(first.stats().byMethod.eth_call).toBe(40)
  expect(first.stats().largestBatch).toBeGreaterThanOrEqual(6)
})

test('older state than an endpoint keeps is asked of another one at once', async () => {
  first.set({ prunedBelow: 100 })
  const upstream = await connect()
  const balanceAt = (block: number) => upstream.request('eth_getBalance', [account, `0x${block.toString(16)}`])
  expect(await balanceAt(90)).toBe('0x0')
  expect(found(upstream)).toMatchObject({ stateBlocks: blocks - 90 })
  first.resetStats()
  for (const block of [80, 50, 20]) expect(await balanceAt(block)).toBe('0x0')
  expect(first.stats().byMethod.eth_getBalance).toBeUndefined()
  expect(await balanceAt(150)).toBe('0x0')
  expect(first.stats().byMethod.eth_getBalance).toBe(1)
})

test('what is known of old state ends when an endpoint answers with it', async () => {
  first.set({ prunedBelow: 100 })
  const upstream = await connect({ urls: [first.url] })
  const balanceAt = (block: number) => upstream.request('eth_getBalance', [account, `0x${block.toString(16)}`])
  await expect(balanceAt(90)).rejects.toMatchObject({ kind: 'UPSTREAM_STATE_PRUNED' })
  first.clear()
  expect(await balanceAt(80)).toBe('0x0')
  expect(upstream.profiles()).toEqual({})
})

test('the limits of logs are those of each endpoint, and known to the next start', async () => {
  first.set({ logs: { blocks: 50, tooWide: wideRefusals.chainstack } })
  const upstream = await connect()
  const range = { from: 0n, to: BigInt(blocks) }
  expect(await upstream.readLogs(range, {}, 1_000)).toEqual([])
  const { logBlocks = 0 } = found(upstream) ?? {}
  expect(logBlocks).toBeGreaterThan(40)
  expect(logBlocks).toBeLessThanOrEqual(50)
  const later = await connect({ profiles: upstream.profiles() })
  first.resetStats()
  await later.readLogs({ from: 0n, to: BigInt(logBlocks) - 1n }, {}, 1_000)
  expect(first.stats().byMethod.eth_getLogs).toBe(1)

  await first.down()
  second.resetStats()
  expect(await later.readLogs(range, {}, 1_000)).toEqual([])
  expect(later.profiles()[second.url]).toBeUndefined()
  await first.up()
})

test('the limits of logs are not those of an endpoint that has no logs', async () => {
  first.set({ missingMethods: ['eth_getLogs'] })
  second.set({ logs: { blocks: 50, tooWide: wideRefusals.chainstack } })
  const upstream = await connect()
  const range = { from: 0n, to: BigInt(blocks) }
  for (let round = 0; round < 2; round++) expect(await upstream.readLogs(range, {}, 1_000)).toEqual([])
  const profiles = upstream.profiles()
  expect(profiles[first.url]?.logBlocks).toBeUndefined()
  expect(profiles[second.url]?.logBlocks).toBeGreaterThan(40)
})

test('the rate at which calls were limited is told in calls and compute units', async () => {
  first.set({ status: 429, headers: { 'retry-after': '1' } })
  const upstream = createUpstream({ urls: [first.url] }, { logger: createLogger('silent'), clock, random: () => 1 })
  open.push(upstream)
  const answer = upstream.request('eth_call', [{ to: account }])
  await first.arrived(1)
  first.clear()
  await answer
  // The call, and its chain's id, which costs nothing.
  expect(found(upstream)).toMatchObject({ limitedAtRate: expect.any(Number), limitedAtUnits: expect.any(Number) })
})

test('what is kept for a later start ends with its oldest part', async () => {
  const upstream = await connect({ urls: [first.url] })
  first.set({ missingMethods: ['eth_gasPrice'] })
  await expect(upstream.request('eth_gasPrice', [])).rejects.toThrow()
  const foundAt = clock.now()
  clock.advance(1_800_000)
  first.set({ missingMethods: ['eth_getProof'] })
  await expect(upstream.request('eth_getProof', [account, [], 'latest'])).rejects.toThrow()
  expect(found(upstream)).toMatchObject({ missingMethods: ['eth_gasPrice', 'eth_getProof'] })
  expect(found(upstream)?.foundAt).toBeLessThan(foundAt + 900_000)
})
