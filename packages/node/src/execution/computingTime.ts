import { RunStoppedError } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'

/** A run that took longer than this lets others be served before the next. */
const politeMs = 10

/** How long the runs of one request may compute together; waiting for upstream does not count. */
export class ComputingTime {
  readonly #limitMs: number
  #leftMs: number

  constructor(limitMs: number) {
    this.#limitMs = limitMs
    this.#leftMs = limitMs
  }

  /** Throws `EXECUTION_TOO_LONG` when the run is stopped, which it is by asking `isOver`. */
  async measure<T>(run: (isOver: () => boolean) => T | Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const elapsedMs = () => performance.now() - startedAt
    try {
      return await run(() => elapsedMs() > this.#leftMs)
    } catch (error) {
      if (!(error instanceof RunStoppedError)) throw error
      throw new NetworkError('EXECUTION_TOO_LONG', { seconds: this.#limitMs / 1000 })
    } finally {
      const tookMs = elapsedMs()
      this.#leftMs -= tookMs
      if (tookMs > politeMs) await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
