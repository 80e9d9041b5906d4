import { setImmediate as arrivals } from 'node:timers/promises'
import type { BlockTimer } from './blockTimer.ts'
import type { SealingMode, SealingModeNeeds } from './sealingMode.ts'

/** Seals a block for each transaction, and an empty one when the base moves, and at an interval if the mode has one. */
export function createInstantMode(needs: SealingModeNeeds & { timer: BlockTimer; isInForce(): boolean }): SealingMode {
  const { sealer, seal, timer, isRunning, isInForce, nextBase, logger } = needs
  let sealing: Promise<void> | undefined

  /**
   * Seals pending transactions, and moves the base if upstream has moved. Callers share a run that has not begun yet,
   * which first admits everything that has arrived, so that one commit serves many. Work that does not fit into one
   * commit queues behind other changes of the network.
   */
  function sealWaiting(): Promise<void> {
    sealing ??= seal(async () => {
      await arrivals()
      sealing = undefined
      if (!isInForce()) return sealer.storeWaiting()
      const isMore = await sealer.sealEach()
      if (!isInForce()) return sealer.storeWaiting()
      const base = nextBase()
      if (base) await sealer.sealBase(base)
      return isMore
    }).then((isMore) => (isMore && isRunning() ? sealWaiting() : undefined))
    return sealing
  }

  return {
    resume() {
      timer.start()
      return sealWaiting()
    },
    store: sealWaiting,
    onUpstreamHead() {
      if (!nextBase()) return
      sealWaiting().catch((error) =>
        logger.warn({ err: error }, 'Could not seal; retrying at the next head or transaction'),
      )
    },
    async stop() {
      timer.stop()
    },
  }
}
