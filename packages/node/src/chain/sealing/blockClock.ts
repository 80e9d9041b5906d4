import type { Header } from '../../ethereum/header.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'

/** The stored settings of a block clock. */
export type BlockClockSettings = { offsetSeconds: number; next: string | undefined; interval?: string }

/**
 * The time that a request gives a block: a timestamp, so many seconds after the block before, or so many seconds after the
 * time that the block would have without it.
 */
export type BlockTime = { at: bigint } | { afterParent: bigint } | { later: bigint }

type Needs = {
  clock: Pick<Clock, 'now'>
  /** Whether a block may have the timestamp of its parent. */
  mayShareTime: () => boolean
}

/**
 * Determines the timestamps of blocks: the clock's time plus a configured shift. A block is later than its parent, so that
 * many blocks of one second are ahead of the clock, one second each, until it has caught up.
 */
export class BlockClock {
  readonly #needs: Needs
  #offset = 0n
  #next: bigint | undefined
  #interval: bigint | undefined

  constructor(needs: Needs, settings: BlockClockSettings | undefined) {
    this.#needs = needs
    if (settings) this.restore(settings)
  }

  restore({ offsetSeconds, next, interval }: BlockClockSettings): void {
    this.#offset = BigInt(offsetSeconds)
    this.#next = next === undefined ? undefined : BigInt(next)
    this.#interval = interval === undefined ? undefined : BigInt(interval)
  }

  get settings(): BlockClockSettings {
    return { offsetSeconds: Number(this.#offset), next: this.#next?.toString(), interval: this.#interval?.toString() }
  }

  /** A clock with the same settings, which go their own way. */
  copy(): BlockClock {
    return new BlockClock(this.#needs, this.settings)
  }

  /** The settings of a clock that shows `timestamp` now. */
  startingAt(timestamp: bigint): BlockClockSettings {
    return { offsetSeconds: Number(timestamp - this.#systemTime), next: undefined }
  }

  /** The current time, which is not before `head`, the time of the newest block. */
  timeAt(head: bigint): bigint {
    return latest(this.#now, head)
  }

  /** Seconds between blocks, if configured. */
  get interval(): bigint | undefined {
    return this.#interval
  }

  /** `undefined` returns to the clock's time, which continues from `head`, the time of the newest block. */
  setInterval(seconds: bigint | undefined, head: bigint): void {
    if (seconds === undefined && this.#interval !== undefined) this.#continueFrom(head)
    this.#interval = seconds
  }

  /** The timestamp of the block after one with the time `parent`, not before `notBefore`. Throws `INVALID_PARAMS` for a given one. */
  timestampAfter(parent: bigint, { notBefore = 0n, time }: { notBefore?: bigint; time?: BlockTime } = {}): bigint {
    if (time && 'at' in time) return this.#requireAfter(time.at, parent)
    const earliest = parent + this.#leastStep
    if (this.#next !== undefined) return latest(this.#next, earliest)
    return latest(this.#due(parent, time), earliest, notBefore)
  }

  /** The timestamp of a block that replays one of the live chain: that one's, as long as the network is not ahead of it. */
  timestampLike(live: Pick<Header, 'number' | 'timestamp'>, parent: Pick<Header, 'number' | 'timestamp'>): bigint {
    const earliest = parent.timestamp + this.#leastStep
    if (this.#next !== undefined) return latest(this.#next, earliest)
    const isAhead = parent.number >= live.number || parent.timestamp > live.timestamp
    return isAhead ? latest(live.timestamp, earliest) : live.timestamp
  }

  /** Seconds from one block to the next if they are sealed at once, each at this time. */
  stepOf(time: { afterParent: bigint } | undefined): bigint {
    return latest(this.#interval ?? time?.afterParent ?? 0n, this.#leastStep)
  }

  /** Records the timestamp of a block; time continues from a given one. */
  sealed(timestamp: bigint, time?: BlockTime): void {
    if (this.#next === undefined && time === undefined) return
    this.#continueFrom(timestamp)
    this.#next = undefined
  }

  /** The next block is so many seconds later: after now, or after `parent` if its time is ahead. Returns the total shift. */
  increase(seconds: bigint, parent: bigint): bigint {
    this.#offset += this.timeAt(parent) + seconds - this.#now
    return this.#offset
  }

  /** Sets the current time, which is not before `head`, the time of the newest block. Returns the shift from the old one, in seconds. */
  setNow(timestamp: bigint, head: bigint): bigint {
    const before = this.#offset
    this.#continueFrom(latest(timestamp, head))
    this.#next = undefined
    return this.#offset - before
  }

  /** Throws `INVALID_PARAMS` if no block after one with the time `parent` may have it. */
  setNext(timestamp: bigint, parent: bigint): void {
    this.#next = this.#requireAfter(timestamp, parent)
  }

  /** The least number of seconds from a block to the next. */
  get #leastStep(): bigint {
    return this.#needs.mayShareTime() ? 0n : 1n
  }

  get #systemTime(): bigint {
    return BigInt(Math.floor(this.#needs.clock.now() / 1000))
  }

  get #now(): bigint {
    return this.#systemTime + this.#offset
  }

  #continueFrom(timestamp: bigint): void {
    this.#offset = timestamp - this.#systemTime
  }

  #due(parent: bigint, time: Exclude<BlockTime, { at: bigint }> | undefined): bigint {
    if (this.#interval !== undefined) return parent + this.#interval
    if (time === undefined) return this.#now
    return 'afterParent' in time ? parent + time.afterParent : this.timeAt(parent) + time.later
  }

  #requireAfter(timestamp: bigint, parent: bigint): bigint {
    if (timestamp >= parent + this.#leastStep) return timestamp
    const problem =
      timestamp < parent
        ? `${timestamp} is lower than the previous block's timestamp ${parent}`
        : `${timestamp} is equal to the previous block's timestamp; pass a later one, or start the network with --allow-same-timestamp`
    throw new NetworkError('INVALID_PARAMS', { field: 'timestamp', problem })
  }
}

const latest = (first: bigint, ...others: bigint[]) => others.reduce((a, b) => (a > b ? a : b), first)
