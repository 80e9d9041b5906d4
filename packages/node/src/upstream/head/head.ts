import type { Word } from '@understudy/evm'
import type { Clock, Timer } from '../../shared/clock.ts'
import { createEvents, type Events } from '../../shared/events.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { blockFromAnswer, type RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { BlockTimes } from './blockTimes.ts'

/** Upstream's newest block. */
export type UpstreamHead = {
  number: bigint
  hash: Word
  parentHash: Word
  /** Seconds since 1970. */
  timestamp: bigint
  raw: RawBlock
}

export type HeadEvents = {
  /** The head moved. Blocks between the last head and this one are not announced. */
  head: UpstreamHead
  /** `replaced` is no longer part of upstream's chain; emitted before the `head` that takes its place. */
  reorg: { replaced: UpstreamHead; by: UpstreamHead }
}

/** Follows upstream's head. */
export type HeadWatcher = {
  readonly events: Events<HeadEvents>
  /** The newest block that was seen; `undefined` before the first. */
  current(): UpstreamHead | undefined
  /** Asks upstream for its newest block now. Throws when it cannot be reached. */
  refresh(): Promise<UpstreamHead>
  /** Milliseconds between the time of the newest block and now; `undefined` before the first. */
  lagMs(): number | undefined
  /** Milliseconds between two polls, as it is now. */
  pollIntervalMs(): number
  /** How the network hears of new heads. */
  source(): HeadSource
}

export type HeadSource = 'websocket' | 'polling'

/** What a subscription says of upstream. */
export type HeadNotices = {
  /** Upstream has a block of this number. */
  onBlock(number: bigint): void
  /** Whether upstream tells of its blocks now. */
  onChange(isOpen: boolean): void
}

/**
 * A head below the last one mostly comes from a node behind a balancer that is not as far as the others.
 * Seen this often in a row, upstream did go back.
 */
const lowerHeadLimit = 3

type HeadOptions = {
  /** Milliseconds; derived from the block times when `undefined`. */
  pollIntervalMs: number | undefined
}

type Needs = {
  request: Request
  /** Called when the chain turned. Rejects when it is not the one that was forked any more. */
  verify?(): Promise<void>
  clock: Clock
  logger: Logger
}

/** While upstream tells of its blocks, it is asked so seldom, in milliseconds: a subscription may be silent without a word. */
const subscribedIntervalMs = 15_000

/**
 * Makes a watcher that polls. `start` polls once at its next interval, and goes on. Where there is a subscription as well, its
 * notice are looked after at once, and polls become few.
 */
export function createHeadWatcher(
  { pollIntervalMs: fixedInterval }: HeadOptions,
  { request, verify, clock, logger }: Needs,
): HeadWatcher & HeadNotices & { start(): void; stop(): void } {
  const events = createEvents<HeadEvents>((error) =>
    logger.error({ err: error }, 'A listener of upstream heads failed'),
  )
  const times = new BlockTimes()
  let lowerHeads = 0
  let current: UpstreamHead | undefined
  let timer: Timer | undefined
  let refreshing: Promise<UpstreamHead> | undefined
  let running = false
  let isSubscribed = false
  /** The newest block that upstream said it has. */
  let expected = 0n

  async function poll(): Promise<UpstreamHead> {
    const head = headFrom(await loadBlock('latest'))
    const last = current
    lowerHeads = last && head.number < last.number ? lowerHeads + 1 : 0
    if (last && (head.hash === last.hash || (lowerHeads > 0 && lowerHeads < lowerHeadLimit))) return last
    if (last && (await isReplaced(last, head))) {
      await verify?.()
      events.emit('reorg', { replaced: last, by: head })
    }
    current = head
    lowerHeads = 0
    times.add(head.number, head.timestamp)
    events.emit('head', head)
    return head
  }

  async function isReplaced(last: UpstreamHead, head: UpstreamHead): Promise<boolean> {
    if (head.number <= last.number) return true
    if (head.number === last.number + 1n) return head.parentHash !== last.hash
    return headFrom(await loadBlock(quantity(last.number))).hash !== last.hash
  }

  async function loadBlock(tag: string): Promise<RawBlock> {
    return blockFromAnswer(tag, await request('eth_getBlockByNumber', [tag, false]))
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
    const isCaughtUp = current !== undefined && current.number >= expected && lowerHeads === 0
    return isSubscribed && isCaughtUp ? subscribedIntervalMs : ms
  }

  function schedule(): void {
    timer?.cancel()
    if (!running) return
    timer = clock.after(interval(), () => {
      // What fails is told by the endpoints, once; the next poll comes all the same.
      refresh().then(schedule, schedule)
    })
  }

  /** A look that is under way may have come too early for what was heard meanwhile. */
  async function lookNow(): Promise<void> {
    if (!running) return
    const last = refreshing
    if (last) await last.catch(() => {})
    await refresh().catch(() => {})
    schedule()
  }

  return {
    events,
    source: () => (isSubscribed ? 'websocket' : 'polling'),
    onBlock(number) {
      expected = number
      void lookNow()
    },
    onChange(isOpen) {
      isSubscribed = isOpen
      void lookNow()
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
  const { hash, parentHash } = raw
  return { number: BigInt(raw.number), hash, parentHash, timestamp: BigInt(raw.timestamp), raw }
}
