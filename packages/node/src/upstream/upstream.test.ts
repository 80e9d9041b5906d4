import { createServer } from 'node:http'
import {
  type Anvil,
  createFakeClock,
  type FakeClock,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NetworkError } from '../shared/errors.ts'
import { createLogger } from '../shared/logger.ts'
import { UpstreamRpcError } from './transport/rpcError.ts'
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts'

let anvil: Anvil
let proxy: FaultProxy
let clock: FakeClock
let logs: string[]
const open: Upstream[] = []

beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
})
beforeEach(() => {
  clock = createFakeClock()
  clock.skipUpTo(5_000)
  logs = []
  proxy.resetStats()
})
afterEach(async () => {
  proxy.clear()
  for (const upstream of open.splice(0)) await upstream.stop()
})
afterAll(async () => {
  await proxy.stop()
  await anvil.stop()
})

function connect(options: Partial<UpstreamOptions> = {}): Upstream {
  const logger = createLogger('info', { write: (line) => logs.push(line) })
  const upstream = createUpstream({ urls: [proxy.url], ...options }, { logger, clock, random: () => 1 })
  open.push(upstream)
  return upstream
}

/** An upstream that has asked for the chain id already, so that counts show only what the test does. */
async function connected(options: Partial<UpstreamOptions> = {}): Promise<Upstream> {
  const upstream = connect(options)
  await upstream.request('eth_blockNumber', [])
  proxy.resetStats()
  return upstream
}

/** Ends the pause after which an endpoint is asked whether it is back; what waits for it then waits in real time. */
function rest(): void {
  clock.skipUpTo(0)
  clock.advance(5_000)
}

const balancesOf = (upstream: Upstream, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      upstream.request('eth_getBalance', [`0x${index.toString(16).padStart(40, '0')}`, 'latest']),
    ),
  )

describe('batches', () => {
  test('requests of one tick go out as one batch', async () => {
    const upstream = await connected()
    await balancesOf(upstream, 40)
    expect(proxy.stats()).toMatchObject({ requests: 1, batches: 1, calls: 40 })
  })

  test('more than fits into a batch is split and sent together', async () => {
    const upstream = await connected({ maxBatch: 10 })
    const release = proxy.hold()
    const balances = balancesOf(upstream, 35)
    await proxy.arrived(4)
    release()
    expect(await balances).toHaveLength(35)
    expect(proxy.stats()).toMatchObject({ requests: 4, largestBatch: 10, calls: 35, maxInFlight: 4 })
  })

  test('slow methods do not share a batch with quick ones', async () => {
    const upstream = await connected()
    await Promise.all([
      balancesOf(upstream, 3),
      upstream.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x0' }]),
    ])
    expect(proxy.stats()).toMatchObject({ requests: 2, batches: 1, largestBatch: 3 })
  })

  test('slow methods leave half of the connections to quick ones', async () => {
    const upstream = await connected({ concurrency: 4 })
    const release = proxy.hold()
    const logs = [0, 1, 2, 3, 4].map((block) => upstream.request('eth_getLogs', [{ fromBlock: `0x${block}` }]))
    await proxy.arrived(2)
    const quick = upstream.request('eth_blockNumber', [])
    await proxy.arrived(3)
    expect(proxy.stats().byMethod).toEqual({ eth_getLogs: 2, eth_blockNumber: 1 })
    release()
    await Promise.allSettled([...logs, quick])
    expect(proxy.stats().byMethod).toEqual({ eth_getLogs: 5, eth_blockNumber: 1 })
  })

  test('no more HTTP requests than allowed are in flight', async () => {
    const upstream = await connected({ maxBatch: 1, concurrency: 3 })
    const release = proxy.hold()
    const balances = balancesOf(upstream, 20)
    await proxy.arrived(3)
    release()
    await balances
    expect(proxy.stats()).toMatchObject({ requests: 20, maxInFlight: 3 })
  })

  test('what waits for a free connection is batched together', async () => {
    const upstream = await connected({ concurrency: 1 })
    const release = proxy.hold()
    const first = upstream.request('eth_gasPrice', [])
    await proxy.arrived(1)
    const second = upstream.request('eth_chainId', [])
    const third = upstream.request('eth_blockNumber', [])
    release()
    await Promise.all([first, second, third])
    expect(proxy.stats()).toMatchObject({ requests: 2, batches: 1, calls: 3 })
  })

  test.each(['status', 'object', 'empty'] as const)(
    'an upstream that refuses batches (%s) is found out once and then asked one by one',
    async (refuseBatches) => {
      const upstream = await connected()
      proxy.set({ refuseBatches })
      expect(await balancesOf(upstream, 5)).toHaveLength(5)
      expect(proxy.stats()).toMatchObject({ requests: 6, batches: 1 })
      await balancesOf(upstream, 5)
      expect(proxy.stats()).toMatchObject({ requests: 11, batches: 1 })
    },
  )

  test('a refusal of batches is believed for an hour, for it may have come from elsewhere', async () => {
    const upstream = await connected()
    proxy.next(1, { refuseBatches: 'status' })
    await balancesOf(upstream, 5)
    clock.advance(3_599_000)
    expect(proxy.stats()).toMatchObject({ requests: 6, batches: 1 })
    await balancesOf(upstream, 5)
    expect(proxy.stats()).toMatchObject({ requests: 11, batches: 1 })
    clock.advance(2_000)
    await balancesOf(upstream, 5)
    expect(proxy.stats()).toMatchObject({ requests: 12, batches: 2 })
  })

  test('an upstream that names its largest batch is given batches of that size', async () => {
    const upstream = await connected()
    proxy.set({ maxBatch: 30 })
    await balancesOf(upstream, 90)
    expect(proxy.stats()).toMatchObject({ requests: 4, calls: 180 })
    await balancesOf(upstream, 90)
    expect(proxy.stats()).toMatchObject({ requests: 7 })
  })
})

describe('equal requests', () => {
  test('identical calls that are in flight together are sent once', async () => {
    const upstream = await connected()
    const results = await Promise.all([1, 2, 3].map(() => upstream.request('eth_getBlockByNumber', ['latest', false])))
    expect(proxy.stats().byMethod).toEqual({ eth_getBlockByNumber: 1 })
    expect(results[0]).toEqual(results[2])
    expect(upstream.counters().methods.eth_getBlockByNumber).toMatchObject({ requests: 3, shared: 2, calls: 1 })
  })

  test('one caller that gives up leaves the others their answer', async () => {
    const upstream = await connected()
    const release = proxy.hold()
    const controller = new AbortController()
    const given = upstream.request('eth_gasPrice', [], { signal: controller.signal })
    const kept = upstream.request('eth_gasPrice', [])
    await proxy.arrived(1)
    controller.abort(new Error('not needed'))
    await expect(given).rejects.toThrow('not needed')
    release()
    expect(await kept).toMatch(/^0x/)
  })

  test('when every caller gives up, the HTTP request is cut and no longer retried', async () => {
    const upstream = await connected()
    const release = proxy.hold()
    const controller = new AbortController()
    const given = upstream.request('eth_gasPrice', [], { signal: controller.signal })
    await proxy.arrived(1)
    controller.abort(new Error('not needed'))
    await expect(given).rejects.toThrow('not needed')
    release()
    await upstream.request('eth_blockNumber', [])
    expect(proxy.stats().byMethod).toEqual({ eth_gasPrice: 1, eth_blockNumber: 1 })
  })
})

describe('faults that pass', () => {
  test('HTTP 429 is retried after what Retry-After says', async () => {
    const upstream = await connected()
    proxy.next(1, { status: 429, headers: { 'retry-after': '3' } })
    expect(await upstream.request('eth_chainId', [])).toBe('0x7a69')
    expect(clock.skipped()).toEqual([3000])
    expect(proxy.stats().requests).toBe(2)
  })

  test('HTTP 429 without a time is retried with growing pauses', async () => {
    const upstream = await connected()
    proxy.next(4, { status: 429 })
    await upstream.request('eth_chainId', [])
    expect(clock.skipped()).toEqual([100, 200, 400, 800])
  })

  test('only the limited items of a batch are sent again', async () => {
    const upstream = await connected()
    proxy.next(1, { limitItems: { allBut: 6 } })
    const balances = await balancesOf(upstream, 10)
    expect(balances).toEqual(Array.from({ length: 10 }, () => '0x0'))
    expect(proxy.stats()).toMatchObject({ requests: 2, calls: 14 })
    expect(upstream.counters().methods.eth_getBalance).toMatchObject({ requests: 10, calls: 14, retries: 4, errors: 0 })
  })

  test.each([
    ['JSON that is cut', { truncate: true }],
    ['a connection that is reset', { reset: true }],
    ['HTTP 503', { status: 503 }],
  ])('%s is retried', async (_, fault) => {
    const upstream = await connected()
    proxy.next(2, fault)
    expect(await balancesOf(upstream, 5)).toHaveLength(5)
    expect(upstream.counters().methods.eth_getBalance).toMatchObject({ errors: 0 })
  })

  test('an upstream that went away serves again when it is back, after its chain id was checked', async () => {
    const upstream = await connected()
    clock.skipUpTo(0)
    await proxy.down()
    const balance = upstream.request('eth_getBalance', [`0x${'00'.repeat(20)}`, 'latest'])
    // The pause after the failure; the other timers are the limits of attempts and requests.
    await clock.waiting(1, 250)
    await proxy.up()
    clock.advance(250)
    expect(await balance).toBe('0x0')
    expect(proxy.stats().byMethod).toEqual({ eth_chainId: 1, eth_getBalance: 1 })
    expect(logs.join()).toMatch(/Upstream failed.*Upstream is back/s)
  })

  test('an answer about a block that a node has not seen yet is asked for again, three times at most', async () => {
    const upstream = await connected()
    let asked = 0
    proxy.set({
      answer: ({ method }) => {
        if (method !== 'eth_getBalance') return undefined
        asked++
        return asked < 3 ? { error: { code: -32000, message: 'header not found' } } : undefined
      },
    })
    expect(await upstream.request('eth_getBalance', [`0x${'00'.repeat(20)}`, '0x0'])).toBe('0x0')
    asked = -1000
    await expect(upstream.request('eth_getBalance', [`0x${'01'.repeat(20)}`, '0x0'])).rejects.toThrow(
      'header not found',
    )
    expect(asked).toBe(-997)
  })
})

describe('faults that stay', () => {
  test('an upstream that is down makes requests fail when it is known to be away, saying what is wrong', async () => {
    const upstream = await connected()
    await proxy.down()
    const start = clock.now()
    const ask = () => upstream.request('eth_chainId', []).catch((thrown: unknown) => thrown)
    const error = await ask()
    const [waited, again] = [clock.now() - start, await ask()]
    expect([error, again]).toMatchObject(Array(2).fill({ kind: 'UPSTREAM_UNAVAILABLE', code: -32002 }))
    expect(String(error)).toMatch(new RegExp(`${proxy.url} refused the connection \\(for \\d s\\)`))
    expect(waited).toBeGreaterThanOrEqual(2_000)
    expect(waited).toBeLessThan(20_000)
    expect(clock.now() - start).toBe(waited)
    expect(upstream.status().reachable).toBe(false)
    await proxy.up()
    rest()
    expect(await ask()).toBe('0x7a69')
  })

  test('an upstream that never answers is given up', async () => {
    const upstream = await connected()
    const release = proxy.hold()
    const request = upstream.request('eth_chainId', [])
    await proxy.arrived(1)
    clock.advance(20_000)
    await expect(request).rejects.toMatchObject({ kind: 'UPSTREAM_UNAVAILABLE' })
    release()
  })

  test('a revert is passed on with its data, and not asked for again', async () => {
    const upstream = await connected()
    const error = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }
    proxy.set({ answer: ({ method }) => (method === 'eth_call' ? { error } : undefined) })
    const thrown = await upstream.request('eth_call', [{}, 'latest']).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(NetworkError)
    expect(thrown).toMatchObject({ kind: 'UPSTREAM_ERROR', cause: { ...error, method: 'eth_call' } })
    expect((thrown as NetworkError).cause).toBeInstanceOf(UpstreamRpcError)
    expect(proxy.stats().byMethod).toEqual({ eth_call: 1 })
  })

  test('state that upstream has pruned is an error that names the block', async () => {
    const upstream = await connected()
    proxy.set({ prunedBelow: 100 })
    const request = upstream.request('eth_getStorageAt', [`0x${'00'.repeat(20)}`, '0x0', '0x2a'])
    await expect(request).rejects.toMatchObject({ kind: 'UPSTREAM_STATE_PRUNED', details: { block: '42' } })
    expect(proxy.stats().requests).toBe(1)
  })

  test('a refused key fails at once', async () => {
    proxy.set({ status: 401 })
    const upstream = connect()
    await expect(upstream.request('eth_chainId', [])).rejects.toThrow(`${proxy.url} answered HTTP 401: check its key`)
    expect(proxy.stats().requests).toBe(1)
  })

  test('after stop, nothing is sent and what was in flight has failed', async () => {
    const upstream = await connected()
    const release = proxy.hold()
    const request = upstream.request('eth_gasPrice', [])
    await proxy.arrived(1)
    const failed = expect(request).rejects.toMatchObject({ kind: 'UPSTREAM_UNAVAILABLE' })
    await upstream.stop()
    await failed
    release()
    await expect(upstream.request('eth_gasPrice', [])).rejects.toMatchObject({ kind: 'UPSTREAM_UNAVAILABLE' })
  })
})

describe('secrets', () => {
  test('keys in the URL and the headers are in no log and no error', async () => {
    const url = `${proxy.url.replace('http://', 'http://me:s3cretPassword@')}/v2/s3cretPath?key=s3cretQuery`
    const upstream = connect({ urls: [url], headers: { 'x-api-key': 's3cretHeader' } })
    proxy.set({
      answer: ({ method }) => ({
        error: { code: method === 'eth_chainId' ? -32603 : -32000, message: 's3cretPath or s3cretHeader is wrong' },
      }),
    })
    const error = await upstream.request('eth_gasPrice', []).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'UPSTREAM_UNAVAILABLE' })
    proxy.clear()
    proxy.set({ answer: () => undefined })
    rest()
    await upstream.request('eth_gasPrice', [])
    proxy.set({ answer: () => ({ error: { code: -32000, message: 's3cretQuery s3cretPassword' } }) })
    const second = await upstream.request('eth_gasPrice', []).catch((thrown: unknown) => thrown)
    const told = [
      String(error),
      String(second),
      String((second as Error).cause),
      JSON.stringify(upstream.status()),
      ...logs,
    ]
    expect(told.join('\n')).not.toContain('s3cret')
    expect(told.join('\n')).toContain(`${proxy.url}/***`)
  })

  test('the user and password of a URL and the headers go out', async () => {
    const seen: Record<string, unknown>[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const upstream = connect({ urls: [`http://me:pass%20word@127.0.0.1:${port}`], headers: { 'x-api-key': 'k' } })
    await upstream.request('eth_chainId', [])
    server.close()
    const basic = `Basic ${Buffer.from('me:pass word').toString('base64')}`
    expect(seen[1]).toMatchObject({ authorization: basic, 'x-api-key': 'k', 'content-type': 'application/json' })
  })
})
