import {
  type Anvil,
  createFakeClock,
  type FakeClock,
  type FaultProxy,
  type Faults,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from '../upstream.ts'

let anvil: Anvil
let otherChain: Anvil
let first: FaultProxy
let second: FaultProxy
let wrong: FaultProxy
let clock: FakeClock
let logs: string[]
let onLog: () => void
const open: Upstream[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  otherChain = await startAnvil({ chainId: 10 })
})
beforeEach(async () => {
  clock = createFakeClock()
  logs = []
  onLog = () => {}
  first = await startFaultProxy(anvil.url)
  second = await startFaultProxy(anvil.url)
  wrong = await startFaultProxy(otherChain.url)
})
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.stop()
  for (const proxy of [first, second, wrong]) await proxy.stop()
})
afterAll(async () => {
  for (const server of [anvil, otherChain]) await server.stop()
})

function connect(urls: [string, ...string[]], options: Partial<UpstreamOptions> = {}): Upstream {
  const logger = createLogger('info', {
    write(line) {
      logs.push(line)
      onLog()
    },
  })
  const upstream = createUpstream({ urls, ...options }, { logger, clock, random: () => 1 })
  open.push(upstream)
  return upstream
}

function logged(text: string): Promise<void> {
  return new Promise((resolve) => {
    onLog = () => logs.at(-1)?.includes(text) && resolve()
  })
}

test('while the first works, the others are not asked', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  expect([first.stats().requests, second.stats().requests]).toEqual([2, 0])
  expect(upstream.status()).toMatchObject({ url: first.url, reachable: true })
})

test('when the first fails the second serves, until the first is back', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  await first.down()
  expect(await upstream.request('eth_gasPrice', [])).toMatch(/^0x/)
  expect(second.stats().byMethod).toEqual({ eth_chainId: 1, eth_gasPrice: 1 })
  expect(upstream.status().url).toBe(second.url)

  await first.up()
  clock.advance(250)
  // The first is looked at again on the side: nothing waits for it.
  const back = logged('Upstream is back')
  await upstream.request('eth_gasPrice', [])
  await back
  await upstream.request('eth_blockNumber', [])
  expect(upstream.status().url).toBe(first.url)
  expect(logs.join()).toMatch(/Upstream failed.*Switched to another upstream.*Upstream is back.*Switched/s)
})

test('a call that is sent again for a time only goes to another URL in it, and fails after it', async () => {
  const broken: Faults = {
    answer: ({ method }) =>
      method === 'debug_traceCall' ? { error: { code: -32000, message: 'execution timeout' } } : undefined,
  }
  const upstream = connect([first.url, second.url])
  const trace = () => upstream.request('debug_traceCall', [{}, 'latest', {}], { retryMs: 1_000 })
  await upstream.request('eth_blockNumber', [])
  clock.skipUpTo(5_000)
  first.set(broken)
  expect(await trace()).toBeDefined()
  second.set(broken)
  const failure = { kind: 'UPSTREAM_UNAVAILABLE', details: { problem: expect.stringContaining('execution timeout') } }
  const start = clock.now()
  await expect(trace()).rejects.toMatchObject(failure)
  expect(clock.now() - start).toBeLessThan(3_000)
})

test('a first that limits the rate rests while the second serves', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  first.next(1, { status: 429, headers: { 'retry-after': '10' } })
  await upstream.request('eth_gasPrice', [])
  await upstream.request('eth_blockNumber', [])
  expect(second.stats().byMethod).toMatchObject({ eth_gasPrice: 1, eth_blockNumber: 1 })
  clock.advance(10_000)
  await upstream.request('eth_blockNumber', [])
  expect(upstream.status().url).toBe(first.url)
})

test('a URL of another chain never serves data', async () => {
  const upstream = connect([wrong.url, first.url], { known: { chainId: 31337n, blocks: [] } })
  expect(await upstream.request('eth_chainId', [])).toBe('0x7a69')
  expect(wrong.stats().byMethod).toEqual({ eth_chainId: 1 })
  expect(upstream.chainId()).toBe(31337n)
})

test('when the first goes away in the middle of reads, the next of its chain is asked within 200 ms', async () => {
  for (const proxy of [first, second, wrong]) proxy.set({ delayMs: 20 })
  const upstream = connect([first.url, wrong.url, second.url])
  await upstream.request('eth_blockNumber', [])
  const readers = Array.from({ length: 12 }, async (_, reader) => {
    const balances: unknown[] = []
    for (let index = reader; index < 60; index += 12)
      balances.push(await upstream.request('eth_getBalance', [`0x${(index + 16).toString(16).repeat(20)}`, 'latest']))
    return balances
  })
  await first.arrived(3)
  const since = clock.now()
  // Pauses of the upstream take no time; that of the clock tells how long they were.
  clock.skipUpTo(200)
  await first.down()
  await second.arrived(1)
  expect(clock.now() - since).toBeLessThan(200)
  expect((await Promise.all(readers)).flat()).toEqual(Array.from({ length: 60 }, () => '0x0'))
  expect(Object.keys(wrong.stats().byMethod)).toEqual(['eth_chainId'])
  expect(logs.join()).toMatch(new RegExp(`upstream ${wrong.url} is chain 10, not 31337`))
  await first.up()
})

test('the first URL decides which chain it is when no chain id was given', async () => {
  const upstream = connect([first.url, wrong.url])
  await upstream.request('eth_blockNumber', [])
  await first.down()
  clock.skipUpTo(5_000)
  const error = await upstream.request('eth_blockNumber', []).catch((thrown: unknown) => thrown)
  await first.up()
  expect(error).toMatchObject({ kind: 'UPSTREAM_UNAVAILABLE' })
  expect(wrong.stats().byMethod).not.toHaveProperty('eth_blockNumber')
})

test('when every URL is of another chain, requests and start say so at once', async () => {
  const upstream = connect([wrong.url], { known: { chainId: 31337n, blocks: [] } })
  const error = { kind: 'UPSTREAM_CHAIN_MISMATCH', details: { url: wrong.url, actual: 10n, expected: 31337n } }
  await expect(upstream.start()).rejects.toMatchObject(error)
  await expect(upstream.request('eth_blockNumber', [])).rejects.toMatchObject(error)
  expect(wrong.stats().byMethod).toEqual({ eth_chainId: 1, eth_getBlockByNumber: 1 })
})

test('a chain that changed behind its URL is found out when the connection comes back', async () => {
  const upstream = connect([first.url])
  await upstream.request('eth_blockNumber', [])
  first.set({ answer: ({ method }) => (method === 'eth_chainId' ? { result: '0xa' } : undefined) })
  first.next(1, { reset: true })
  clock.skipUpTo(5_000)
  await expect(upstream.request('eth_gasPrice', [])).rejects.toMatchObject({ kind: 'UPSTREAM_CHAIN_MISMATCH' })
})

test('start fails soon when nothing answers, and waits for an upstream whose chain is known', async () => {
  await first.down()
  clock.skipUpTo(4_000)
  const unknown = connect([first.url])
  await expect(unknown.start()).rejects.toThrow(`${first.url} refused the connection (waited 5 s)`)
  await unknown.stop()

  const known = connect([first.url], { known: { chainId: 31337n, blocks: [] }, pollIntervalMs: 60_000 })
  await known.start()
  expect(known.chainId()).toBe(31337n)
  expect(known.head.current()).toBeUndefined()
  await first.up()
  expect(await known.request('eth_blockNumber', [])).toBe('0x0')
})

test('a method that the first does not serve goes to the second, which is remembered', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  first.set({ missingMethods: ['eth_gasPrice'] })
  for (let count = 0; count < 3; count++) expect(await upstream.request('eth_gasPrice', [])).toMatch(/^0x/)
  await upstream.request('eth_blockNumber', [])
  expect(first.stats().byMethod).toMatchObject({ eth_gasPrice: 1, eth_blockNumber: 2 })
  expect(second.stats().byMethod).toEqual({ eth_chainId: 1, eth_gasPrice: 3 })
  expect(upstream.profiles()).toMatchObject({ [first.url]: { missingMethods: ['eth_gasPrice'] } })
})

test('state that the first does not have is read of the second, and what neither has is refused', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  first.set({ prunedBelow: 100 })
  for (const address of ['11', '22'])
    expect(await upstream.request('eth_getBalance', [`0x${address.repeat(20)}`, '0x0'])).toBe('0x0')
  expect(first.stats().byMethod).toMatchObject({ eth_getBalance: 1 })
  second.set({ prunedBelow: 100 })
  await expect(upstream.request('eth_getBalance', [`0x${'33'.repeat(20)}`, '0x0'])).rejects.toMatchObject({
    kind: 'UPSTREAM_STATE_PRUNED',
  })
})

test('what the second refuses is refused soon when the first does not answer', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  first.set({ answer: () => ({ error: { code: 30, message: 'Request timeout on the free tier' } }) })
  second.set({ prunedBelow: 100 })
  clock.skipUpTo(5_000)
  const since = clock.now()
  await expect(upstream.request('eth_getBalance', [`0x${'33'.repeat(20)}`, '0x0'])).rejects.toMatchObject({
    kind: 'UPSTREAM_STATE_PRUNED',
  })
  expect(clock.now() - since).toBeLessThan(2_000)
})

test('what only the first has is read of it, also after its connection was cut', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  second.set({ prunedBelow: 100 })
  first.next(1, { reset: true })
  clock.skipUpTo(5_000)
  expect(await upstream.request('eth_getBalance', [`0x${'33'.repeat(20)}`, '0x0'])).toBe('0x0')
})

test('what the second refuses is refused when the first was suspended before', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  await first.down()
  second.set({ prunedBelow: 100 })
  clock.skipUpTo(5_000)
  const since = clock.now()
  const read = upstream.request('eth_getBalance', [`0x${'33'.repeat(20)}`, '0x0']).catch((error: unknown) => error)
  expect(await read).toMatchObject({ kind: 'UPSTREAM_STATE_PRUNED' })
  expect(clock.now() - since).toBeLessThan(2_000)
  await first.up()
})

test('a first whose plan ended is left, call by call and then as a whole', async () => {
  const upstream = connect([first.url, second.url])
  await upstream.request('eth_blockNumber', [])
  first.set({ answer: () => ({ error: { code: -32000, message: 'monthly usage limit reached' } }) })
  clock.skipUpTo(5_000)
  for (let count = 0; count < 20; count++) {
    clock.advance(100)
    expect(await upstream.request('eth_gasPrice', [])).toMatch(/^0x/)
  }
  expect(first.stats().byMethod.eth_gasPrice).toBeLessThan(10)
  expect(logs.join()).toContain('Upstream failed')
})

test('a request that takes longer than is typical is made of the second as well, once, if that is wanted', async () => {
  const upstream = connect([first.url, second.url], { hedges: true })
  // The second is used once its chain is verified, which this waits for.
  first.set({ missingMethods: ['web3_clientVersion'] })
  await upstream.request('web3_clientVersion', [])
  for (let count = 0; count < 20; count++) await upstream.request('eth_blockNumber', [])
  const held = first.hold()
  first.resetStats()
  const answer = upstream.request('eth_gasPrice', [])
  await first.arrived(1)
  clock.advance(20)
  expect(await answer).toMatch(/^0x/)
  expect(second.stats().byMethod).toMatchObject({ eth_gasPrice: 1 })
  held()
})

test('no more calls a second are sent than a user allows', async () => {
  const upstream = connect([first.url], { callsPerSecond: 10, maxBatch: 4 })
  await upstream.request('eth_blockNumber', [])
  const startedAt = clock.now()
  clock.skipUpTo(1_000)
  const addresses = Array.from({ length: 30 }, (_, index) => `0x${(index + 16).toString(16).repeat(20)}`)
  await Promise.all(addresses.map((address) => upstream.request('eth_getBalance', [address, 'latest'])))
  // The allowance of the first second is there at once.
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(2_000)
  expect(clock.now() - startedAt).toBeLessThan(3_500)
  expect(first.stats().byMethod).toMatchObject({ eth_getBalance: 30 })
})

test('what was found of a URL is known to the next start', async () => {
  const upstream = connect([first.url])
  first.set({ refuseBatches: 'status' })
  const ask = (each: Upstream) => Promise.all([each.request('eth_gasPrice', []), each.request('eth_blockNumber', [])])
  clock.skipUpTo(1_000)
  await ask(upstream)
  const profiles = upstream.profiles()
  expect(profiles).toMatchObject({ [first.url]: { batch: 1, batchRefusal: expect.stringContaining('batch') } })
  first.resetStats()
  await ask(connect([first.url], { profiles }))
  expect(first.stats().batches).toBe(0)
  clock.advance(3_600_000)
  expect(upstream.profiles()).toEqual({})
})

test.each(['ws://127.0.0.1:1', 'not a url'])('%s is refused', (url) => {
  expect(() => connect([url])).toThrow('--fork-url')
})
