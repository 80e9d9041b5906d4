import { NetworkError } from '../errors.ts'

/** What a part of it may not exceed, and where it is counted. */
type Whole = Pick<ComputingTime, 'leftMs' | 'spend' | 'requireLeft'>

/** How long the runs of one request may compute together; waiting, for upstream or for a turn, does not count. */
export class ComputingTime {
  readonly #limitMs: number
  /** What is spent here is spent there too. */
  readonly #whole: Whole | undefined
  #leftMs: number

  constructor(limitMs: number, whole?: Whole) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
    this.#whole = whole
  }

  get leftMs(): number {
    return Math.min(this.#leftMs, this.#whole?.leftMs ?? Number.POSITIVE_INFINITY)
  }

  /** A part of it, for one run among others. */
  atMost(limitMs: number): ComputingTime {
    return new ComputingTime(Math.min(limitMs, this.#limitMs), this)
  }

  spend(ms: number): void {
    this.#leftMs -= ms
    this.#whole?.spend(ms)
  }

  /** Throws `EXECUTION_TOO_LONG` when nothing is left, or what the whole throws. */
  requireLeft(): void {
    this.#whole?.requireLeft()
    if (this.#leftMs <= 0) throw new NetworkError('EXECUTION_TOO_LONG', { seconds: this.#limitMs / 1000 })
  }
}
