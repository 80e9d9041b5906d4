import {
  type Anvil,
  createFakeClock,
  type FakeClock,
  type FaultProxy,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '../../shared/logger.ts'
import { createUpstream, type Upstream } from '../upstream.ts'
import { BlockTimes } from './blockTimes.ts'
import type { UpstreamHead } from './head.ts'

let anvil: Anvil
let proxy: FaultProxy
let clock: FakeClock
let upstream: Upstream

beforeEach(async () => {
  anvil = await startAnvil({ args: ['--no-mining', '--timestamp', '1767225600'] })
  proxy = await startFaultProxy(anvil.url)
  clock = createFakeClock(1767225600_000)
  upstream = createUpstream({ urls: [proxy.url], pollIntervalMs: 1000 }, { logger: createLogger('silent'), clock })
})
afterEach(async () => {
  await upstream.stop()
  await proxy.stop()
  await anvil.stop()
})

const mine = (blocks = 1) => anvil.rpc('anvil_mine', [blocks, 2])

function record() {
  const seen: string[] = []
  upstream.head.events.on('head', ({ number }) => seen.push(`head ${number}`))
  upstream.head.events.on('reorg', ({ replaced, by }) => seen.push(`reorg ${replaced.number} by ${by.number}`))
  return seen
}

/** Resolves at the next announced head. */
function nextHead() {
  return new Promise((resolve) => {
    const off = upstream.head.events.on('head', (head) => {
      off()
      resolve(head)
    })
  })
}

test('start looks at the head, and polls announce each new one', async () => {
  const seen = record()
  await upstream.start()
  expect(upstream.head.current()).toMatchObject({ number: 0n, timestamp: 1767225600n, raw: { number: '0x0' } })
  await mine(3)
  const head = nextHead()
  clock.advance(1000)
  expect(await head).toMatchObject({ number: 3n, raw: { gasLimit: expect.any(String) } })
  expect(seen).toEqual(['head 0', 'head 3'])
})

test('a head that stays is announced once', async () => {
  const seen = record()
  await upstream.head.refresh()
  await upstream.head.refresh()
  expect(seen).toEqual(['head 0'])
})

test('the lag is the age of the newest block', async () => {
  expect(upstream.head.lagMs()).toBeUndefined()
  await upstream.head.refresh()
  clock.advance(7_500)
  expect(upstream.head.lagMs()).toBe(7_500)
  expect(upstream.status()).toMatchObject({ lastContactAt: 1767225600_000, reachable: true })
})

test('watching goes on after upstream was down', async () => {
  await upstream.start()
  await proxy.down()
  clock.advance(1000)
  // The poll failed, and waits for its next attempt.
  await clock.waiting(1, 250)
  await mine()
  const head = nextHead()
  await proxy.up()
  clock.advance(250)
  expect(await head).toMatchObject({ number: 1n })
})

describe('a reorg is told', () => {
  test('when a block of the same number has another hash', async () => {
    const snapshot = await anvil.rpc('evm_snapshot')
    await mine()
    const seen = record()
    await upstream.head.refresh()
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.rpc('anvil_mine', [1, 5])
    await anvil.rpc('evm_increaseTime', [60])
    await upstream.head.refresh()
    expect(seen).toEqual(['head 1', 'reorg 1 by 1', 'head 1'])
  })

  test.each([1, 4])('when the chain went on without the last head, %d blocks further', async (further) => {
    const snapshot = await anvil.rpc('evm_snapshot')
    await mine()
    const seen = record()
    await upstream.head.refresh()
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.rpc('evm_increaseTime', [60])
    await mine(1 + further)
    await upstream.head.refresh()
    expect(seen).toEqual(['head 1', `reorg 1 by ${1 + further}`, `head ${1 + further}`])
  })

  test('when upstream went back for good, but not when one node of it lags behind', async () => {
    const snapshot = await anvil.rpc('evm_snapshot')
    await mine(2)
    const seen = record()
    await upstream.head.refresh()
    await anvil.rpc('evm_revert', [snapshot])
    await upstream.head.refresh()
    await upstream.head.refresh()
    expect(upstream.head.current()?.number).toBe(2n)
    await upstream.head.refresh()
    expect(seen).toEqual(['head 2', 'reorg 2 by 0', 'head 0'])
  })
})

test('the pace of polling follows the pace of blocks, within bounds', () => {
  const pace = (seconds: bigint) => {
    const times = new BlockTimes()
    for (let number = 100n; number < 110n; number++) times.add(number, number * seconds, Number(number) * 5_000)
    return times.pollIntervalMs()
  }
  expect([pace(12n), pace(2n), pace(0n), pace(600n)]).toEqual([3000, 500, 250, 5000])
  expect(new BlockTimes().pollIntervalMs()).toBe(1000)
})

test('a chain is fast while many heads in a row come in less than a second a block', () => {
  const times = new BlockTimes()
  let [number, seenAt] = [100n, 0]
  const see = (blocks: number, afterMs: number) => {
    number += BigInt(blocks)
    seenAt += afterMs
    times.add(number, 1767225600n, seenAt)
    return times.isFast
  }
  see(0, 0)
  // Blocks that are made at once do not make it fast.
  for (let burst = 0; burst < 3; burst++) expect([see(50, 300), see(1, 4_000)]).toEqual([false, false])
  for (let head = 0; head < 7; head++) expect(see(1, 200)).toBe(false)
  expect([see(1, 200), see(12, 2_500), see(6, 2_500), see(1, 1_000)]).toEqual([true, true, true, false])
})

describe('a chain with a block every 200 ms', () => {
  /** The poll that is due next, and the head that it finds. */
  async function poll(blocks: number, afterMs: number): Promise<void> {
    await anvil.rpc('anvil_mine', [blocks, 0])
    const head = nextHead()
    clock.advance(afterMs)
    await head
    await clock.waiting(1, upstream.head.pollIntervalMs())
  }
  const untilFast = async () => {
    for (let head = 0; head < 8; head++) await poll(5, upstream.head.pollIntervalMs())
  }

  beforeEach(async () => {
    upstream = createUpstream({ urls: [proxy.url] }, { logger: createLogger('silent'), clock })
    await upstream.start()
    await untilFast()
  })

  test('is looked at every 2.5 seconds, in one request each, which also shows a reorg', async () => {
    expect(upstream.head.pollIntervalMs()).toBe(2500)
    proxy.resetStats()
    const seen = record()
    await poll(12, 2500)
    await poll(13, 2500)
    expect(proxy.stats()).toMatchObject({ requests: 2, calls: 4 })
    expect(seen).toEqual(['head 52', 'head 65'])
    const { number, hash } = upstream.head.current() as UpstreamHead
    await poll(12, 2500)
    expect(upstream.head.current()?.follows).toEqual({ number, hash })
    const snapshot = await anvil.rpc('evm_snapshot')
    await poll(12, 2500)
    await anvil.rpc('evm_revert', [snapshot])
    await anvil.rpc('evm_increaseTime', [60])
    await poll(24, 2500)
    expect(seen.slice(-2)).toEqual(['reorg 89 by 101', 'head 101'])
    expect(upstream.head.current()?.follows).toBeUndefined()
  })

  test('is looked at more often again when its blocks are slower', async () => {
    await poll(2, 2500)
    expect(upstream.head.pollIntervalMs()).toBe(250)
  })
})
