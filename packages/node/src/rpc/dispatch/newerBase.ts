import type { Word } from '@understudy/evm'
import { systemClock } from '../../shared/clock.ts'
import { isNetworkError } from '../../shared/errors.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Services } from '../services.ts'

/** How often a call is tried. */
const attemptLimit = 4
/** How long the network may take to move to a newer block of the live chain, in milliseconds. */
const moveLimitMs = 3_000
/** How many blocks the network may have moved on while a call was made. */
const recentBlocks = 64n

type Needs = Pick<Services, 'history' | 'mining' | 'chainEvents'>

/** Whether a call failed because the state of a block of the live chain cannot be read any more. */
export const isStateGone = (error: unknown) => goneBlock(error) !== undefined

/**
 * Makes a call again once the network has moved to a newer block of the live chain. `first` is what the call failed with:
 * the state of the block that the network was based on cannot be read any more, because some endpoints have the state of
 * the newest blocks only, and blocks are reorganised. Nothing of a call that fails is done, so that nothing is done twice.
 */
export async function callAtNewerBase(
  { history, mining, chainEvents }: Needs,
  first: unknown,
  call: () => unknown,
): Promise<unknown> {
  let error = first
  for (let attempt = 1; ; attempt++) {
    const gone = goneBlock(error)
    if (gone === undefined || attempt === attemptLimit || !(await isLeft(gone))) throw error
    try {
      return await call()
    } catch (thrown) {
      error = thrown
    }
  }

  /** Whether the network was based on a block, and leaves it. */
  async function isLeft({ number, hash }: Base): Promise<boolean> {
    const { base } = history.head()
    if (base.hash === hash) return mining.movesBase() && untilMoved(base)
    return number + recentBlocks >= base.number
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

/** The block of the live chain whose state a call could not read, if it is known. */
function goneBlock(error: unknown): Base | undefined {
  if (isNetworkError(error, 'UPSTREAM_REORGED'))
    return { number: BigInt(error.details.block), hash: error.details.hash as Word }
  if (!isNetworkError(error, 'UPSTREAM_STATE_PRUNED')) return undefined
  const [, number, hash] = /^(\d+) \((0x\w+)\)$/.exec(String(error.details.block)) ?? []
  return number === undefined ? undefined : { number: BigInt(number), hash: hash as Word }
}
