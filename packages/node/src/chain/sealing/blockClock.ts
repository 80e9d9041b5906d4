import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'

/** What a block clock remembers across restarts. */
export type BlockClockSettings = { offsetSeconds: number; next: string | undefined; interval?: string }

/** Tells the timestamps of blocks: the clock's time, as far as it was shifted by hand. */
export class BlockClock {
  readonly #clock: Clock
  #offset = 0n
  #next: bigint | undefined
  #interval: bigint | undefined

  constructor(clock: Clock, settings: BlockClockSettings | undefined) {
    this.#clock = clock
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

  /** Seconds between a block and the next, when that was set by hand. */
  get interval(): bigint | undefined {
    return this.#interval
  }

  /** `undefined` lets the clock tell the time again. */
  setInterval(seconds: bigint | undefined): void {
    this.#interval = seconds
  }

  get #now(): bigint {
    return BigInt(Math.floor(this.#clock.now() / 1000))
  }

  /** The timestamp of the block after one of the time `parent`, which is not before `notBefore`. Blocks of the same second share theirs. */
  timestampAfter(parent: bigint, notBefore = 0n): bigint {
    if (this.#next !== undefined) return this.#next
    const due = this.#interval === undefined ? this.#now + this.#offset : parent + this.#interval
    return [due, parent, notBefore].reduce((latest, time) => (time > latest ? time : latest))
  }

  /** Says that a block has this timestamp: time goes on from one that was set by hand. */
  sealed(timestamp: bigint): void {
    if (this.#next === undefined) return
    this.#offset = timestamp - this.#now
    this.#next = undefined
  }

  /** Returns the whole shift in seconds. */
  increase(seconds: bigint): bigint {
    this.#offset += seconds
    return this.#offset
  }

  /** Makes it this time now. Returns how far that is from what it was, in seconds. */
  setNow(timestamp: bigint): bigint {
    const shift = timestamp - (this.#now + this.#offset)
    this.#offset += shift
    return shift
  }

  /** Throws `INVALID_PARAMS` when it is before the parent's. */
  setNext(timestamp: bigint, parent: bigint): void {
    if (timestamp < parent)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'timestamp',
        problem: `${timestamp} is lower than the previous block's timestamp ${parent}`,
      })
    this.#next = timestamp
  }
}
