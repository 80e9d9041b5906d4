import type { Clock } from '../shared/clock.ts'
import type { LoadingView, WantedState } from '../state/view.ts'

/** How long to send no requests after upstream did not answer. */
const restMs = 15_000

/** Limits how long blocks wait for upstream's answers for tracked items. */
export class UpstreamWait {
  readonly #clock: Clock
  #restUntil = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Rejects if upstream fails or takes longer than `waitMs`, and at once for a while after that. */
  async load(view: LoadingView, keys: WantedState, waitMs: number): Promise<void> {
    if (this.#clock.now() < this.#restUntil) throw new Error('upstream did not answer in time')
    const controller = new AbortController()
    const timer = this.#clock.after(waitMs, () => controller.abort(new Error('upstream did not answer in time')))
    try {
      await view.load(keys, controller.signal)
    } catch (error) {
      this.#restUntil = this.#clock.now() + restMs
      throw error
    } finally {
      timer.cancel()
    }
  }
}
