import type { bls12_381 } from '@noble/curves/bls12-381.js'

/** A curve with pairings. */
type Curve = Pick<typeof bls12_381, 'fields' | 'pairingBatch'>

/** Pairs that are computed in one part. */
const pairsTogether = 1

/** Whether the product of the pairings is one. */
export function* isOne<Pair>(
  { fields: { Fp12 }, pairingBatch }: Curve,
  pairs: readonly Pair[],
): Generator<undefined, boolean> {
  let product = Fp12.ONE
  for (let start = 0; start < pairs.length; start += pairsTogether) {
    const some = pairs.slice(start, start + pairsTogether) as unknown as Parameters<Curve['pairingBatch']>[0]
    product = Fp12.mul(product, pairingBatch(some, false))
    yield
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
}
