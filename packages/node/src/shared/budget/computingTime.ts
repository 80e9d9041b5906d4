import { NetworkError } from '../errors.ts'

/** A larger budget that a computing time is part of. */
type Whole = Pick<ComputingTime, 'leftMs' | 'spend' | 'requireLeft'>

/** The share that first attempts of runs may use, if the runs then have to start again. */
const attemptShare = 0.1

/** The computing time that the runs of one request share; waiting for upstream or for a turn does not count. */
export class ComputingTime {
  readonly #limitMs: number
  /** Time spent here is also spent there. */
  readonly #whole: Whole | undefined
  #leftMs: number
  #spentMs = 0
  #attemptedMs = 0

  constructor(limitMs: number, whole?: Whole) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
    this.#whole = whole
  }

  get leftMs(): number {
    return Math.min(this.#leftMs, this.#whole?.leftMs ?? Number.POSITIVE_INFINITY)
  }

  /** What was spent of it. */
  get spentMs(): number {
    return this.#spentMs
  }

  /** Whether it is also spent elsewhere. */
  get isShared(): boolean {
    return this.#whole !== undefined
  }

  /** A share of it, for one of several runs. */
  atMost(limitMs: number): ComputingTime {
    return new ComputingTime(Math.min(limitMs, this.#limitMs), this)
  }

  spend(ms: number): void {
    this.#leftMs -= ms
    this.#spentMs += ms
    this.#whole?.spend(ms)
  }

  /** Whether a run may still be attempted that has to start again if it takes long. */
  get mayAttempt(): boolean {
    return this.#attemptedMs < this.#limitMs * attemptShare
  }

  /** Counts an attempt that was thrown away. */
  attempted(ms: number): void {
    this.#attemptedMs += ms
  }

  /** Throws `EXECUTION_TOO_LONG` if no time is left, or the error of the whole budget. */
  requireLeft(): void {
    this.#whole?.requireLeft()
    if (this.#leftMs <= 0) throw new NetworkError('EXECUTION_TOO_LONG', { seconds: this.#limitMs / 1000 })
  }
}
