import type { Clock, Timer } from '../../../shared/clock.ts'
import { createManualMode } from './manual.ts'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

type Needs = SealingModeNeeds & {
  /** The time between two blocks; `undefined` in other modes. */
  intervalMs(): number | undefined
  clock: Clock
}

/** Seals a block of pending transactions at an interval. */
export function createIntervalMode(needs: Needs): SealingMode {
  const { sealer, seal, isRunning, nextBase, intervalMs, clock, logger } = needs
  let timer: Timer | undefined

  function disarm(): void {
    timer?.cancel()
    timer = undefined
  }

  function arm(): void {
    disarm()
    const wait = intervalMs()
    if (wait === undefined || !isRunning()) return
    timer = clock.after(wait, () => {
      seal(() => sealer.sealPool(nextBase()))
        .catch((error) => logger.error({ err: error }, 'Could not seal a block; retrying at the next interval'))
        .finally(arm)
    })
  }

  return {
    ...createManualMode(needs),
    async resume() {
      if (!timer) arm()
    },
    async stop() {
      disarm()
    },
  }
}
