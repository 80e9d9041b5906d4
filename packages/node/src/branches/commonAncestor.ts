import type { NetworkNumber } from '../storage/branches/layers.ts'
import type { ChangeRange } from '../storage/records/branchChanges.ts'
import type { BranchRecords } from './branchRecords.ts'

/** The last state that two networks have in common. */
export type CommonAncestor = {
  /** The last change, and the last block, that both have. */
  seq: number
  block: number
  /** The later changes of either, by whose rows they are. */
  changes: ChangeRange[]
}

/** The common ancestor of two networks, from the layers that they read. */
export function commonAncestorOf(
  a: NetworkNumber,
  b: NetworkNumber,
  records: Pick<BranchRecords, 'layersOf'>,
): CommonAncestor {
  const everything = Number.MAX_SAFE_INTEGER
  const readBy = (network: NetworkNumber) =>
    new Map(
      [{ network, seq: everything, block: everything }, ...records.layersOf(network)].map((layer) => [
        layer.network,
        layer,
      ]),
    )
  const [ofA, ofB] = [readBy(a), readBy(b)]
  const commonAncestor: CommonAncestor = { seq: 0, block: 0, changes: [] }
  for (const network of new Set([...ofA.keys(), ...ofB.keys()])) {
    const [inA, inB] = [ofA.get(network), ofB.get(network)]
    const [seqA, seqB] = [inA?.seq ?? 0, inB?.seq ?? 0]
    if (seqA !== seqB) commonAncestor.changes.push({ network, after: Math.min(seqA, seqB), upTo: Math.max(seqA, seqB) })
    commonAncestor.seq = Math.max(commonAncestor.seq, Math.min(seqA, seqB))
    if (inA && inB) commonAncestor.block = Math.max(commonAncestor.block, Math.min(inA.block, inB.block))
  }
  return commonAncestor
}
