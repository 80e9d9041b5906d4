import { systemClock } from '../shared/clock.ts'
import { isNetworkError } from '../shared/errors.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Services } from './services.ts'

/** How often a call is tried. */
const attemptLimit = 4
/** How long the network may take to move to a newer block of the live chain, in milliseconds. */
const moveLimitMs = 3_000

type Needs = Pick<Services, 'history' | 'mining' | 'chainEvents'>

/**
 * Makes a call again once the network has moved to a newer block of the live chain, if it failed because the state of the
 * block that the network was based on cannot be read any more: some endpoints have the state of the newest blocks only, and
 * blocks are reorganised. Nothing of a call that fails is done, so that nothing is done twice.
 */
export async function callAtNewerBase({ history, mining, chainEvents }: Needs, call: () => unknown): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const { base } = history.head()
    try {
      return await call()
    } catch (error) {
      if (attempt === attemptLimit || !isBaseGone(error, base) || !mining.movesBase() || !(await untilMoved(base)))
        throw error
    }
  }

  /** Returns false if the network stays on its base. */
  async function untilMoved({ hash }: Base): Promise<boolean> {
    let forget = () => {}
    const moved = new Promise<boolean>((resolve) => {
      const isMoved = () => history.head().base.hash !== hash
      const timer = systemClock.after(moveLimitMs, () => resolve(isMoved()))
      const unsubscribe = chainEvents.on('head', () => isMoved() && resolve(true))
      forget = () => {
        timer.cancel()
        unsubscribe()
      }
      if (isMoved()) resolve(true)
    })
    return moved.finally(forget)
  }
}

/** Whether a call failed because the state of a block of the live chain cannot be read any more. */
export const isStateGone = (error: unknown) =>
  isNetworkError(error, 'UPSTREAM_REORGED') || isNetworkError(error, 'UPSTREAM_STATE_PRUNED')

function isBaseGone(error: unknown, { number, hash }: Base): boolean {
  if (isNetworkError(error, 'UPSTREAM_REORGED')) return error.details.hash === hash
  return isNetworkError(error, 'UPSTREAM_STATE_PRUNED') && error.details.block === `${number} (${hash})`
}
