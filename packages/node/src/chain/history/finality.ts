import { NetworkError } from '../../shared/errors.ts'

/** Which blocks below the head are `safe` and `finalized`, on both sides of the fork. */
export type Finality = {
  numberOf(tag: 'safe' | 'finalized'): bigint
  /** Throws `BLOCK_FINALIZED` if the latest `depth` blocks include a local one that is final. */
  requireRemovable(depth: bigint): void
}

type Options = {
  /** How many blocks an epoch has; 0: the head is safe and finalized, and any block can be removed. */
  slotsInEpoch: number
}

type Needs = {
  head(): { header: { number: bigint } }
  /** The block at which the network was forked. */
  originNumber: bigint
  /** The first local block that was not pruned. */
  oldest(): bigint
}

/** Blocks are safe after one epoch and final after two. */
export function createFinality({ slotsInEpoch }: Options, { head, originNumber, oldest }: Needs): Finality {
  function numberOf(tag: 'safe' | 'finalized'): bigint {
    const number = head().header.number - BigInt(slotsInEpoch * (tag === 'safe' ? 1 : 2))
    const first = oldest() > originNumber + 1n ? oldest() : 0n
    return number < first ? first : number
  }

  return {
    numberOf,
    requireRemovable(depth) {
      const block = numberOf('finalized')
      const { number } = head().header
      if (slotsInEpoch > 0 && block > originNumber && number - depth < block)
        throw new NetworkError('BLOCK_FINALIZED', { block, depth: number - block })
    },
  }
}
