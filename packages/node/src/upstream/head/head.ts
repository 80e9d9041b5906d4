import type { Word } from '@understudy/evm'
import { type Header, headerFromRpc } from '../../ethereum/header.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import { createEvents, type Events } from '../../shared/events.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { blockFromAnswer, type RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { BlockTimes } from './blockTimes.ts'

/** Upstream's latest block. */
export type UpstreamHead = {
  number: bigint
  hash: Word
  parentHash: Word
  /** Seconds since 1970. */
  timestamp: bigint
  header: Header
  raw: RawBlock
}

export type HeadEvents = {
  /** The head moved. Skipped blocks between the last head and this one are not announced. */
  head: UpstreamHead
  /** `replaced` is no longer part of upstream's chain; emitted before the `head` that replaces it. */
  reorg: { replaced: UpstreamHead; by: UpstreamHead }
}

/** Tracks upstream's head. */
export type HeadWatcher = {
  readonly events: Events<HeadEvents>
  /** The latest known block; `undefined` before the first. */
  current(): UpstreamHead | undefined
  /** Requests upstream's latest block now. Throws if upstream is unreachable. */
  refresh(): Promise<UpstreamHead>
  /** Milliseconds since the timestamp of the latest block; `undefined` before the first. */
  lagMs(): number | undefined
  /** The current poll interval in milliseconds. */
  pollIntervalMs(): number
  /** How new heads are received. */
  source(): HeadSource
}

export type HeadSource = 'websocket' | 'polling'

/** Notifications of a head subscription. */
export type HeadNotices = {
  /** Upstream has a block with this number. */
  onBlock(number: bigint): void
  /** The subscription was opened or closed. */
  onChange(isOpen: boolean): void
}

/**
 * What is unlikely is believed when upstream says it so many times in a row. A lower head usually comes from a node behind a load
 * balancer that lags behind; one far ahead is an error, unless the live chain is a test network whose time was moved.
 */
const unlikelyLimit = 3
/** How far ahead of the clock and of the last head a head may be, in seconds, and in blocks. */
const mostSecondsAhead = 3600n
const mostBlocksAhead = 100_000n

type HeadOptions = {
  /** Milliseconds; `undefined`: derived from the block time. */
  pollIntervalMs: number | undefined
}

type Needs = {
  request: Request
  /** Called with a new head before it is believed. A rejection leaves the head where it is. */
  awaitState?(head: UpstreamHead): Promise<unknown>
  /** Called after a reorg. Rejects if it is no longer the forked chain. */
  verify?(): Promise<void>
  clock: Clock
  logger: Logger
}

/** The poll interval while subscribed, in milliseconds, because a subscription may fail silently. */
const subscribedIntervalMs = 15_000

/**
 * Creates a watcher that polls. `start` begins polling after one interval. With a subscription, its notifications
 * trigger a poll at once, and regular polls become rare.
 */
export function createHeadWatcher(
  { pollIntervalMs: fixedInterval }: HeadOptions,
  { request, awaitState, verify, clock, logger }: Needs,
): HeadWatcher & HeadNotices & { start(): void; stop(): void } {
  const events = createEvents<HeadEvents>((error) =>
    logger.error({ err: error }, 'A listener of upstream heads failed'),
  )
  const times = new BlockTimes()
  /** In a row. */
  let unlikelyHeads = 0
  let current: UpstreamHead | undefined
  let timer: Timer | undefined
  let refreshing: Promise<UpstreamHead> | undefined
  let running = false
  let isSubscribed = false
  /** A poll follows the running one. */
  let isPollPlanned = false
  /** The latest block number that the subscription announced. */
  let expected = 0n

  async function poll(): Promise<UpstreamHead> {
    const head = headFrom(await loadBlock('latest'))
    const last = current
    unlikelyHeads = last && isUnlikely(head, last) ? unlikelyHeads + 1 : 0
    if (last && (head.hash === last.hash || (unlikelyHeads > 0 && unlikelyHeads < unlikelyLimit))) return last
    try {
      await awaitState?.(head)
    } catch (error) {
      if (!last) throw error
      return last
    }
    if (last && (await isReplaced(last, head))) {
      await verify?.()
      events.emit('reorg', { replaced: last, by: head })
    }
    current = head
    unlikelyHeads = 0
    times.add(head.number, head.timestamp)
    events.emit('head', head)
    return head
  }

  function isUnlikely({ number, timestamp }: UpstreamHead, last: UpstreamHead): boolean {
    const now = BigInt(Math.floor(clock.now() / 1000))
    const latest = last.timestamp > now ? last.timestamp : now
    return number < last.number || number > last.number + mostBlocksAhead || timestamp > latest + mostSecondsAhead
  }

  async function isReplaced(last: UpstreamHead, head: UpstreamHead): Promise<boolean> {
    if (head.number <= last.number) return true
    if (head.number === last.number + 1n) return head.parentHash !== last.hash
    return headFrom(await loadBlock(quantity(last.number))).hash !== last.hash
  }

  async function loadBlock(tag: string): Promise<RawBlock> {
    // Watching the head is how upstream's return is noticed.
    return blockFromAnswer(tag, await request('eth_getBlockByNumber', [tag, false], { waitsForRecovery: true }))
  }

  function refresh(): Promise<UpstreamHead> {
    refreshing ??= poll().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  function interval(): number {
    if (fixedInterval !== undefined) return fixedInterval
    const ms = times.pollIntervalMs()
    const isCaughtUp = current !== undefined && current.number >= expected && unlikelyHeads === 0
    return isSubscribed && isCaughtUp ? subscribedIntervalMs : ms
  }

  function schedule(): void {
    timer?.cancel()
    if (!running) return
    timer = clock.after(interval(), () => {
      // Endpoints report failures once; polling continues.
      refresh().then(schedule, schedule)
    })
  }

  /** A running poll may have started too early for a later notification: one more follows, however many notifications come. */
  async function pollSoon(): Promise<void> {
    if (!running || isPollPlanned) return
    isPollPlanned = true
    await refreshing?.catch(() => {})
    isPollPlanned = false
    await refresh().catch(() => {})
    schedule()
  }

  return {
    events,
    source: () => (isSubscribed ? 'websocket' : 'polling'),
    onBlock(number) {
      expected = number
      void pollSoon()
    },
    onChange(isOpen) {
      isSubscribed = isOpen
      void pollSoon()
    },
    current: () => current,
    refresh,
    lagMs: () => (current ? Math.max(0, clock.now() - Number(current.timestamp) * 1000) : undefined),
    pollIntervalMs: interval,
    start() {
      if (running) return
      running = true
      schedule()
    },
    stop() {
      running = false
      timer?.cancel()
    },
  }
}

function headFrom(raw: RawBlock): UpstreamHead {
  const header = headerFromRpc(raw)
  const { hash, parentHash } = raw
  return { number: header.number, hash, parentHash, timestamp: header.timestamp, header, raw }
}
