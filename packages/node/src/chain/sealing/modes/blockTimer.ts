import type { Clock, Timer } from '../../../shared/clock.ts'
import type { SealingModeNeeds } from './sealingMode.ts'

/** Seals a block of pending transactions at an interval, between `start` and `stop`. */
export type BlockTimer = { start(): void; stop(): void }

type Needs = SealingModeNeeds & {
  /** The time between two blocks; `undefined` in modes without. */
  intervalMs(): number | undefined
  clock: Clock
}

export function createBlockTimer(needs: Needs): BlockTimer {
  const { sealer, seal, isRunning, nextBase, intervalMs, clock, logger } = needs
  let timer: Timer | undefined

  function stop(): void {
    timer?.cancel()
    timer = undefined
  }

  function arm(): void {
    stop()
    const wait = intervalMs()
    if (wait === undefined || !isRunning()) return
    timer = clock.after(wait, () => {
      seal(() => sealer.sealPool(nextBase()))
        .catch((error) => logger.error({ err: error }, 'Could not seal a block; retrying at the next interval'))
        .finally(arm)
    })
  }

  return {
    start() {
      if (!timer) arm()
    },
    stop,
  }
}
