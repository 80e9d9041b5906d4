import type { BlockReport } from '../../../webhook/webhook.ts'
import { encodeDivergence } from './divergence.ts'
import { encodeInvariant } from './invariant.ts'

/** What a webhook receives of a block. */
export const encodeBlockReport = ({ block, hash, divergences, isCut, invariants }: BlockReport, chainId: bigint) => ({
  chainId: Number(chainId),
  block: Number(block),
  hash,
  divergences: divergences.map(encodeDivergence),
  /** Whether there are more divergences than are listed. */
  isCut,
  /** Those that the block broke. */
  invariants: invariants.map(encodeInvariant),
})
