import { NetworkError } from '../errors.ts'

const minuteMs = 60_000

/**
 * What all runs of one key may compute: so many seconds a minute, of which a whole minute's may come at once.
 * When all is spent, runs begin again once a tenth, or a second, has come back: less would only begin runs that cannot end.
 */
export class KeyComputing {
  readonly #limitMs: number
  readonly #clock: { now(): number }
  #filledMs: number
  #filledAt: number
  #isSpent = false

  constructor(secondsAMinute: number, clock: { now(): number }) {
    this.#limitMs = secondsAMinute * 1000
    this.#clock = clock
    this.#filledMs = this.#limitMs
    this.#filledAt = clock.now()
  }

  get leftMs(): number {
    const now = this.#clock.now()
    const refilledMs = (Math.max(0, now - this.#filledAt) * this.#limitMs) / minuteMs
    this.#filledMs = Math.min(this.#limitMs, this.#filledMs + refilledMs)
    this.#filledAt = now
    if (this.#filledMs >= Math.min(1000, this.#limitMs / 10)) this.#isSpent = false
    return this.#isSpent ? 0 : this.#filledMs
  }

  spend(ms: number): void {
    this.#filledMs -= ms
    if (this.#filledMs <= 0) this.#isSpent = true
  }

  /** Throws `KEY_COMPUTING_SPENT` when nothing is left. */
  requireLeft(): void {
    if (this.leftMs <= 0) throw new NetworkError('KEY_COMPUTING_SPENT', { seconds: this.#limitMs / 1000 })
  }
}
