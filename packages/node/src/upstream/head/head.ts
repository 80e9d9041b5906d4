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
  /** An earlier head that is below this one, by upstream's answers; `undefined` if it was not compared, or was replaced. */
  follows?: Pick<UpstreamHead, 'number' | 'hash'>
}

export type HeadEvents = {
  /** The head moved. Blocks between the last head and this one, which were skipped, are not announced. */
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
  /** Milliseconds since the time of the latest block; `undefined` before the first. */
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
 * How often a chain with blocks of less than a second is looked at, subscribed or not, in milliseconds. Heads between are skipped: each
 * would cost requests, also those that it makes necessary.
 */
const fastChainIntervalMs = 2_500

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
  /** When the last poll began, in milliseconds since 1970. */
  let polledAt = 0
  let running = false
  let isSubscribed = false
  /** A poll follows the running one. */
  let isPollPlanned = false
  /** The latest block number that the subscription announced. */
  let expected = 0n

  async function poll(): Promise<UpstreamHead> {
    const last = current
    polledAt = clock.now()
    // Of a fast chain, the newest head is seldom the next one: both are asked for in one request.
    const [head, lastNow] = await Promise.all([
      loadHead(request, 'latest'),
      last && times.isFast ? loadHead(request, quantity(last.number)).catch(() => undefined) : undefined,
    ])
    unlikelyHeads = last && isUnlikely(head, last, clock) ? unlikelyHeads + 1 : 0
    if (last && (head.hash === last.hash || (unlikelyHeads > 0 && unlikelyHeads < unlikelyLimit))) return last
    try {
      await awaitState?.(head)
    } catch (error) {
      if (!last) throw error
      return last
    }
    if (last && (await isReplaced(request, last, head, lastNow))) {
      await verify?.()
      events.emit('reorg', { replaced: last, by: head })
    } else if (last) head.follows = { number: last.number, hash: last.hash }
    current = head
    unlikelyHeads = 0
    times.add(head.number, head.timestamp, clock.now())
    events.emit('head', head)
    return head
  }

  function refresh(): Promise<UpstreamHead> {
    refreshing ??= poll().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  function interval(): number {
    if (fixedInterval !== undefined) return fixedInterval
    if (times.isFast) return fastChainIntervalMs
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
      if (!times.isFast || clock.now() - polledAt >= fastChainIntervalMs) void pollSoon()
    },
    onChange(isOpen) {
      isSubscribed = isOpen
      void pollSoon()
    },
    current: () => current,
    refresh,
    lagMs: () => (current ? Math.max(0, clock.now() - timeMsOf(current)) : undefined),
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

function isUnlikely({ number, timestamp }: UpstreamHead, last: UpstreamHead, clock: Clock): boolean {
  const now = BigInt(Math.floor(clock.now() / 1000))
  const latest = last.timestamp > now ? last.timestamp : now
  return number < last.number || number > last.number + mostBlocksAhead || timestamp > latest + mostSecondsAhead
}

/** `lastNow`: the block that upstream had with the number of `last`, if it was asked for. */
async function isReplaced(
  request: Request,
  last: UpstreamHead,
  head: UpstreamHead,
  lastNow: UpstreamHead | undefined,
): Promise<boolean> {
  if (head.number <= last.number) return true
  if (head.number === last.number + 1n) return head.parentHash !== last.hash
  const { hash } = lastNow ?? (await loadHead(request, quantity(last.number)))
  return hash !== last.hash
}

const timeMsOf = ({ header: { timestamp, timestampMs } }: UpstreamHead) => Number(timestampMs ?? timestamp * 1000n)

async function loadHead(request: Request, tag: string): Promise<UpstreamHead> {
  // Watching the head is how upstream's return is noticed.
  const answer = await request('eth_getBlockByNumber', [tag, false], { waitsForRecovery: true })
  const raw = blockFromAnswer(tag, answer)
  const header = headerFromRpc(raw)
  const { hash, parentHash } = raw
  return { number: header.number, hash, parentHash, timestamp: header.timestamp, header, raw }
}
