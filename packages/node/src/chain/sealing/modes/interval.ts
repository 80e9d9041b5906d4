import type { BlockTimer } from './blockTimer.ts'
import { createManualMode } from './manual.ts'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

/** Seals a block of pending transactions at an interval. */
export function createIntervalMode(needs: SealingModeNeeds & { timer: BlockTimer }): SealingMode {
  const { timer } = needs
  return {
    ...createManualMode(needs),
    async resume() {
      timer.start()
    },
    async stop() {
      timer.stop()
    },
  }
}
