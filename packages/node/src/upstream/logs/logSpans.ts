import type { Clock } from '../../shared/clock.ts'

/**
 * The number of blocks that upstream takes in one query of logs, found by what it refuses. `most` is `undefined` while
 * nothing is known.
 */
export type LogSpans = {
  most(): bigint | undefined
  /**
   * The size of the next part. After several whole ones, one of them is larger than what is known to work: a limit may
   * have been named wrongly, or found by halving. `isUrgent`: at once, because the known size does not suffice.
   */
  next(isUrgent: boolean): bigint | undefined
  /** Whether `most` was answered. */
  isProven(): boolean
  /** Whether `most` was answered, and more is known to be refused. */
  isExact(): boolean
  taken(blocks: bigint): void
  /** `next`: what to ask for instead; `isNamed` if upstream's words named it. */
  refused(blocks: bigint, next: { blocks: bigint; isNamed: boolean }): void
  /** Call it when a single block was refused: it was not about their number. */
  forget(): void
}

/** How long a refusal is remembered, in milliseconds: another endpoint may serve later, or another plan. */
const holdsMs = 3_600_000
/** Number of whole parts before a larger one is tried. */
const trials = 8

export function createLogSpans(clock: Clock): LogSpans {
  let most: bigint | undefined
  /** The fewest that were refused. */
  let least = 0n
  let isNamed = false
  let isProven = false
  let wholes = 0
  let since = 0

  function known(): bigint | undefined {
    if (clock.now() - since >= holdsMs) most = undefined
    return most
  }

  /** What is left between both is halved until it is small. */
  const isExact = () => isProven && most !== undefined && least - most <= 1n + most / 8n

  return {
    most: known,
    isProven: () => isProven && known() !== undefined,
    isExact,
    next(isUrgent) {
      const blocks = known()
      if (blocks === undefined || isExact() || (wholes < trials && !isUrgent)) return blocks
      wholes = 0
      return isNamed ? smaller(2n * blocks, least - 1n) : (blocks + least) / 2n
    },
    taken(blocks) {
      if (most === undefined || blocks < most) return
      if (blocks > most) isNamed = false
      wholes++
      isProven = true
      most = blocks
      if (least <= blocks) least = 2n * blocks + 1n
    },
    refused(blocks, next) {
      const before = known()
      if (before !== undefined && blocks > before) {
        // A larger part was tried. The limit that was named is the right one, then.
        least = isNamed ? before + 1n : smaller(least, blocks)
        return
      }
      if (before === undefined) since = clock.now()
      most = next.blocks
      isNamed = next.isNamed
      least = blocks
      isProven = false
      wholes = 0
    },
    forget() {
      most = undefined
      isProven = false
    },
  }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
