import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../src/bytes.ts'
import { partsOf, run } from './run.ts'

type Affine<T> = { toAffine(): { x: T; y: T } }
const joined = (parts: readonly bigint[], length: number) =>
  Buffer.concat(parts.map((part) => bytesFromBigint(part, length)))
const g1 = (point: Affine<bigint>, length: number) => {
  const { x, y } = point.toAffine()
  return joined([x, y], length)
}
type Complex = { c0: bigint; c1: bigint }
const g2 = (point: Affine<Complex>) => {
  const { x, y } = point.toAffine()
  return joined([x.c0, x.c1, y.c0, y.c1], 64)
}
/** On alt_bn128 the imaginary part comes first. */
const g2OfBn254 = (point: Affine<Complex>) => {
  const { x, y } = point.toAffine()
  return joined([x.c1, x.c0, y.c1, y.c0], 32)
}

describe('sums of products that are computed in parts', () => {
  it.each([1, 16, 17, 600])('are right for %i points of G1', (count) => {
    const { BASE } = bls12_381.G1.Point
    let point = BASE
    const entries: Buffer[] = []
    let total = 0n
    for (let factor = 1n; factor <= count; factor++) {
      entries.push(Buffer.concat([g1(point, 64), bytesFromBigint(factor * 7n, 32)]))
      total += factor * factor * 7n
      point = point.add(BASE)
    }
    expect(run(0x0c, Buffer.concat(entries))).toEqual(new Uint8Array(g1(BASE.multiply(total), 64)))
  })

  it('are right for points of G2, and where points and scalars are zero', () => {
    const { BASE } = bls12_381.G2.Point
    const entry = (point: Buffer, scalar: bigint) => Buffer.concat([point, bytesFromBigint(scalar, 32)])
    const twice = g2(BASE.double())
    const entries = Array.from({ length: 20 }, (_, index) => entry(index % 2 ? twice : g2(BASE), BigInt(index)))
    entries.push(entry(Buffer.alloc(256), 9n))
    const total = entries.slice(0, 20).reduce((sum, _, index) => sum + BigInt(index) * (index % 2 ? 2n : 1n), 0n)
    expect(run(0x0e, Buffer.concat(entries))).toEqual(new Uint8Array(g2(BASE.multiply(total))))
  })
})

describe('products of pairings that are computed in parts', () => {
  const pair = (isNegative: boolean) => {
    const { G1, G2 } = bls12_381
    return Buffer.concat([g1(isNegative ? G1.Point.BASE.negate() : G1.Point.BASE, 64), g2(G2.Point.BASE)])
  }
  const pairOfBn254 = (isNegative: boolean) => {
    const { G1, G2 } = bn254
    return Buffer.concat([g1(isNegative ? G1.Point.BASE.negate() : G1.Point.BASE, 32), g2OfBn254(G2.Point.BASE)])
  }

  it.each([
    { name: 'BLS12-381', number: 0x0f, make: pair },
    { name: 'alt_bn128', number: 0x08, make: pairOfBn254 },
  ])('are right on $name', ({ number, make }) => {
    const answer = (count: number) =>
      run(number, Buffer.concat(Array.from({ length: count }, (_, index) => make(index % 2 === 1))))?.at(-1)
    expect([2, 16, 18, 34].map(answer)).toEqual([1, 1, 1, 1])
    expect([1, 17, 33].map(answer)).toEqual([0, 0, 0])
  })

  it('yield after four pairs', () => {
    const parts = partsOf(0x0f, Buffer.concat(Array.from({ length: 10 }, () => pair(false))))
    expect([...parts]).toHaveLength(3)
  })

  it('are right when others are computed between their parts', () => {
    const inputs = [false, true].map((isNegative) =>
      Buffer.concat([pair(isNegative), ...Array.from({ length: 9 }, (_, index) => pair(index % 2 === 1))]),
    )
    const [one, other] = inputs.map((input) => partsOf(0x0f, input))
    const answers: (Uint8Array | undefined)[] = []
    for (let isDone = false; !isDone; ) {
      run(0x0e, Buffer.concat([g2(bls12_381.G2.Point.BASE), bytesFromBigint(5n, 32)]))
      for (const parts of [one, other]) {
        const part = parts?.next()
        if (part?.done) answers.push(part.value)
        isDone = part?.done === true
      }
    }
    expect(answers.map((answer) => answer?.at(-1))).toEqual([0, 1])
  })
})
