import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'

/** The stored settings of a block clock. */
export type BlockClockSettings = { offsetSeconds: number; next: string | undefined; interval?: string }

/** Determines the timestamps of blocks: the clock's time plus a configured shift. */
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

  /** Seconds between blocks, if configured. */
  get interval(): bigint | undefined {
    return this.#interval
  }

  /** `undefined` returns to the clock's time. */
  setInterval(seconds: bigint | undefined): void {
    this.#interval = seconds
  }

  get #now(): bigint {
    return BigInt(Math.floor(this.#clock.now() / 1000))
  }

  /**
   * The timestamp of the block after one with the time `parent`, not before `notBefore`. Blocks of the same second have
   * the same timestamp.
   */
  timestampAfter(parent: bigint, notBefore = 0n): bigint {
    if (this.#next !== undefined) return this.#next
    const due = this.#interval === undefined ? this.#now + this.#offset : parent + this.#interval
    return [due, parent, notBefore].reduce((latest, time) => (time > latest ? time : latest))
  }

  /** Records the timestamp of a block; time continues from a configured one. */
  sealed(timestamp: bigint): void {
    if (this.#next === undefined) return
    this.#offset = timestamp - this.#now
    this.#next = undefined
  }

  /** The next block is so many seconds later: after now, or after `parent` if its time is ahead. Returns the total shift. */
  increase(seconds: bigint, parent = 0n): bigint {
    const ahead = parent - (this.#now + this.#offset)
    this.#offset += ahead > 0n ? ahead + seconds : seconds
    return this.#offset
  }

  /** Sets the current time. Returns the shift from the old one, in seconds. */
  setNow(timestamp: bigint): bigint {
    const shift = timestamp - (this.#now + this.#offset)
    this.#offset += shift
    return shift
  }

  /** Throws `INVALID_PARAMS` if it is before the parent's. */
  setNext(timestamp: bigint, parent: bigint): void {
    if (timestamp < parent)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'timestamp',
        problem: `${timestamp} is lower than the previous block's timestamp ${parent}`,
      })
    this.#next = timestamp
  }
}
