import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'

/** What a calendar remembers across restarts. */
export type CalendarSettings = { offsetSeconds: number; next: string | undefined }

/** Tells the timestamps of blocks: the clock's time, as far as it was shifted by hand. */
export class Calendar {
  readonly #clock: Clock
  #offset = 0n
  #next: bigint | undefined

  constructor(clock: Clock, settings: CalendarSettings | undefined) {
    this.#clock = clock
    if (settings) this.restore(settings)
  }

  restore({ offsetSeconds, next }: CalendarSettings): void {
    this.#offset = BigInt(offsetSeconds)
    this.#next = next === undefined ? undefined : BigInt(next)
  }

  get settings(): CalendarSettings {
    return { offsetSeconds: Number(this.#offset), next: this.#next?.toString() }
  }

  get #now(): bigint {
    return BigInt(Math.floor(this.#clock.now() / 1000))
  }

  /** The timestamp of a block, which is not before any of `floors`. Blocks of the same second share theirs. */
  timestampAfter(...floors: bigint[]): bigint {
    if (this.#next !== undefined) return this.#next
    return [this.#now + this.#offset, ...floors].reduce((latest, time) => (time > latest ? time : latest))
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
