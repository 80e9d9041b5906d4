import type { bls12_381 } from '@noble/curves/bls12-381.js'

/** A curve with pairings. */
type Curve = Pick<typeof bls12_381, 'fields' | 'pairingBatch'>

/** Pairs that are computed together: nobody can stop them. */
const pairsTogether = 16

/** Whether the product of the pairings is one. Calls `look` now and then. */
export function isOne<Pair>(
  { fields: { Fp12 }, pairingBatch }: Curve,
  pairs: readonly Pair[],
  look: () => void,
): boolean {
  let product = Fp12.ONE
  for (let start = 0; start < pairs.length; start += pairsTogether) {
    look()
    const some = pairs.slice(start, start + pairsTogether) as unknown as Parameters<Curve['pairingBatch']>[0]
    product = Fp12.mul(product, pairingBatch(some, false))
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}
