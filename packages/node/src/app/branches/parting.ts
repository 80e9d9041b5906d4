import type { NetworkNumber } from '../../storage/branches/layers.ts'
import type { ChangeRange } from '../../storage/records/branchChanges.ts'
import type { BranchRecords } from './branchRecords.ts'

/** Where two networks part. */
export type Parting = {
  /** The last change, and the last block, that both have. */
  seq: number
  block: number
  /** The later changes of either, by whose rows they are. */
  changes: ChangeRange[]
}

/** Where two networks part, by whose rows they read. */
export function partingOf(a: NetworkNumber, b: NetworkNumber, { layersOf }: Pick<BranchRecords, 'layersOf'>): Parting {
  const everything = Number.MAX_SAFE_INTEGER
  const readBy = (network: NetworkNumber) =>
    new Map(
      [{ network, seq: everything, block: everything }, ...layersOf(network)].map((layer) => [layer.network, layer]),
    )
  const [ofA, ofB] = [readBy(a), readBy(b)]
  const parting: Parting = { seq: 0, block: 0, changes: [] }
  for (const network of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [inA, inB] = [ofA.get(network), ofB.get(network)]
    const [seqA, seqB] = [inA?.seq ?? 0, inB?.seq ?? 0]
    if (seqA !== seqB) parting.changes.push({ network, after: Math.min(seqA, seqB), upTo: Math.max(seqA, seqB) })
    parting.seq = Math.max(parting.seq, Math.min(seqA, seqB))
    if (inA && inB) parting.block = Math.max(parting.block, Math.min(inA.block, inB.block))
  }
  return parting
}
