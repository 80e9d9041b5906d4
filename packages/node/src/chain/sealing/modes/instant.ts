import { setImmediate as arrivals } from 'node:timers/promises'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

/** Seals a block for each transaction, and an empty one when the base moves. */
export function createInstantMode({ sealer, seal, isRunning, nextBase, logger }: SealingModeNeeds): SealingMode {
  let sealing: Promise<void> | undefined

  /**
   * Runs what waits, and moves the base when upstream has moved. Callers share a run that has not begun yet, and what has
   * arrived by then is let in first, so that one commit serves many. What one commit cannot serve gets its turn after
   * everything else that waits to change the network.
   */
  function sealWaiting(): Promise<void> {
    sealing ??= seal(async () => {
      await arrivals()
      sealing = undefined
      const isMore = await sealer.sealEach()
      const base = nextBase()
      if (base) await sealer.sealBase(base)
      return isMore
    }).then((isMore) => (isMore && isRunning() ? sealWaiting() : undefined))
    return sealing
  }

  return {
    resume: sealWaiting,
    store: sealWaiting,
    onUpstreamHead() {
      if (!nextBase()) return
      sealWaiting().catch((error) =>
        logger.warn({ err: error }, 'Could not seal yet; trying again at the next head or transaction'),
      )
    },
    async stop() {},
  }
}
