import { type Curve, productSize } from './curve.ts'
import { wordFromBoolean } from './input.ts'

/** Pairs that are computed in one part. */
const pairsTogether = 4

/** Whether the product of the pairings is one, as a word; `undefined` when a point is not in its group. */
export function* checkPairing(curve: Curve, input: Uint8Array): Generator<undefined, Uint8Array | undefined> {
  const { g1, g2, mcl } = curve
  const [product, some] = curve.products
  const pairLength = g1.length + g2.length
  mcl.mclBnGT_setInt32(product, 1)
  let soFar = curve.copy(product, productSize)
  for (let at = 0; at < input.length; ) {
    let count = 0
    for (let pair = 0; pair < pairsTogether && at < input.length; pair++, at += pairLength) {
      const [g1At, g2At] = [g1.points + count * g1.size, g2.points + count * g2.size]
      if (!g1.read(g1At, input.subarray(at, at + g1.length), true)) return undefined
      if (!g2.read(g2At, input.subarray(at + g1.length, at + pairLength), true)) return undefined
      // The pairing of infinity is one.
      if (g1.functions.isZero(g1At) === 0 && g2.functions.isZero(g2At) === 0) count++
    }
    if (count > 0) {
      mcl.mclBn_millerLoopVec(some, g1.points, g2.points, count)
      curve.put(product, soFar)
      mcl.mclBnGT_mul(product, product, some)
      soFar = curve.copy(product, productSize)
    }
    yield
  }
  curve.put(product, soFar)
  mcl.mclBn_finalExp(product, product)
  return wordFromBoolean(mcl.mclBnGT_isOne(product) !== 0)
}
