import { RunStoppedError } from '@understudy/evm'
import { NetworkError } from './errors.ts'

/** A run that took longer than this lets others be served before the next. */
const politeMs = 10

/** How long the runs of one request may compute together; waiting for upstream does not count. */
export class ComputingTime {
  readonly #limitMs: number
  /** What is spent here is spent there too. */
  readonly #whole: ComputingTime | undefined
  #leftMs: number

  constructor(limitMs: number, whole?: ComputingTime) {
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

  /** Throws `EXECUTION_TOO_LONG` when the run is stopped, which it is by asking `isOver`, and when no time is left to begin it. */
  async measure<T>(run: (isOver: () => boolean) => T | Promise<T>): Promise<T> {
    // Many short runs ask too seldom to be stopped.
    if (this.leftMs <= 0) throw new NetworkError('EXECUTION_TOO_LONG', { seconds: this.#limitMs / 1000 })
    const startedAt = performance.now()
    const elapsedMs = () => performance.now() - startedAt
    try {
      return await run(() => elapsedMs() > this.leftMs)
    } catch (error) {
      if (!(error instanceof RunStoppedError)) throw error
      throw new NetworkError('EXECUTION_TOO_LONG', { seconds: this.#limitMs / 1000 })
    } finally {
      const tookMs = elapsedMs()
      this.spend(tookMs)
      if (tookMs > politeMs) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
