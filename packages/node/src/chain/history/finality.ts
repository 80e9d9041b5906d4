import type { Header } from '../../ethereum/header.ts'
import { NetworkError } from '../../shared/errors.ts'

/** Which blocks below the head are `safe` and `finalized`, on both sides of the fork. */
export type Finality = {
  numberOf(tag: 'safe' | 'finalized'): bigint
  /** Throws `BLOCK_FINALIZED` if the latest `depth` blocks include a local one that is final. */
  requireRemovable(depth: bigint): void
}

type Options = {
  /**
   * How many blocks an epoch has; 0: any block can be removed, and safe and finalized are what the head says of it
   * (`settledHeight`), or itself.
   */
  slotsInEpoch: number
}

type Needs = {
  head(): { header: Pick<Header, 'number' | 'settledHeight'> }
  /** The block at which the network was forked. */
  originNumber: bigint
  /** The first local block that was not pruned. */
  oldest(): bigint
}

/** Blocks are safe after one epoch and final after two. Where nothing is said of epochs, the live chain may say it in its headers. */
export function createFinality({ slotsInEpoch }: Options, { head, originNumber, oldest }: Needs): Finality {
  function numberOf(tag: 'safe' | 'finalized'): bigint {
    const { number: newest, settledHeight = newest } = head().header
    const number = slotsInEpoch === 0 ? settledHeight : newest - BigInt(slotsInEpoch * (tag === 'safe' ? 1 : 2))
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
