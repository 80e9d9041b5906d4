import type { CurvePoint, CurvePointCons } from '@noble/curves/abstract/curve.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { bigintFromBytes, bytesFromBigint } from '../../src/bytes.ts'

/** A curve as another library has it, and how precompiles write its points. */
export type Reference = {
  curve: typeof bls12_381
  fieldLength: number
  g2Order: readonly number[]
  /** Numbers of the precompiles. */
  numbers: { g1Add: number; g1Product: number; pairing: number; g2Add?: number; g2Product?: number }
}

export const bls12: Reference = {
  curve: bls12_381,
  fieldLength: 64,
  g2Order: [0, 1, 2, 3],
  numbers: { g1Add: 0x0b, g1Product: 0x0c, g2Add: 0x0d, g2Product: 0x0e, pairing: 0x0f },
}

export const altBn128: Reference = {
  curve: bn254 as unknown as typeof bls12_381,
  fieldLength: 32,
  g2Order: [1, 0, 3, 2],
  numbers: { g1Add: 0x06, g1Product: 0x07, pairing: 0x08 },
}

type Coordinates = readonly bigint[]
type Point = CurvePoint<unknown, Point>

/** One of a curve's groups, with points as the numbers that they are written as. */
export type ReferenceGroup = {
  length: number
  point: CurvePointCons<Point>
  /** y² of the curve at x. */
  square(x: Coordinates): unknown
  root(square: unknown): Coordinates
  from(bytes: Uint8Array, mustBeInGroup: boolean): Point
  bytes(x: Coordinates, y: Coordinates): Buffer
  write(point: Point): Buffer
}

/** @throws for what is not a point, by the curve's equation and by multiplying with the group's order. */
export function groupOf({ curve, fieldLength, g2Order }: Reference, which: 'G1' | 'G2'): ReferenceGroup {
  const { Fp, Fp2, Fr } = curve.fields
  const isG1 = which === 'G1'
  const order = isG1 ? [0, 1] : g2Order
  const half = order.length / 2
  // biome-ignore lint/suspicious/noExplicitAny: both fields have the same operations on elements of their own
  const field: any = isG1 ? Fp : Fp2
  const point = curve[which].Point as unknown as CurvePointCons<Point>
  const b = (curve[which].Point as unknown as { CURVE(): { b: unknown } }).CURVE().b
  const element = (parts: Coordinates) => (isG1 ? parts[0] : Fp2.fromBigTuple(parts as [bigint, bigint]))
  const parts = (value: unknown): Coordinates =>
    isG1 ? [value as bigint] : [(value as { c0: bigint }).c0, (value as { c1: bigint }).c1]
  const square = (x: Coordinates) => field.add(field.mul(field.sqr(element(x)), element(x)), b)
  const bytes = (x: Coordinates, y: Coordinates) => {
    const numbers = [...x, ...y]
    return Buffer.concat(order.map((index) => bytesFromBigint(numbers[index] as bigint, fieldLength)))
  }
  return {
    length: order.length * fieldLength,
    point,
    square,
    root: (value) => parts(field.sqrt(value)),
    from(written, mustBeInGroup) {
      if (written.every((byte) => byte === 0)) return point.ZERO
      const numbers = order.map((index) =>
        bigintFromBytes(written.subarray(index * fieldLength, (index + 1) * fieldLength)),
      )
      if (numbers.some((number) => number >= Fp.ORDER)) throw new RangeError('outside of the field')
      const [x, y] = [numbers.slice(0, half), numbers.slice(half)]
      if (!field.eql(field.sqr(element(y)), square(x))) throw new RangeError('not on the curve')
      const read = point.fromAffine({ x: element(x), y: element(y) } as never)
      if (mustBeInGroup && !read.multiplyUnsafe(Fr.ORDER - 1n).equals(read.negate()))
        throw new RangeError('not in the group')
      return read
    },
    bytes,
    write(value) {
      if (value.is0()) return Buffer.alloc(order.length * fieldLength)
      const { x, y } = value.toAffine()
      return bytes(parts(x), parts(y))
    },
  }
}

/** What a precompile for sums answers. */
export function sum(group: ReferenceGroup, input: Uint8Array): Buffer {
  const [a, b] = [input.subarray(0, group.length), input.subarray(group.length)]
  return group.write(group.from(a, false).add(group.from(b, false)))
}

/** What a precompile for products and their sums answers. */
export function sumOfProducts(group: ReferenceGroup, { curve }: Reference, input: Uint8Array): Buffer {
  let total = group.point.ZERO
  for (let at = 0; at < input.length; at += group.length + 32) {
    const point = group.from(input.subarray(at, at + group.length), true)
    const scalar = bigintFromBytes(input.subarray(at + group.length, at + group.length + 32))
    total = total.add(point.multiplyUnsafe(curve.fields.Fr.create(scalar)))
  }
  return group.write(total)
}

/** What a precompile for pairings answers. */
export function pairing(reference: Reference, input: Uint8Array): Buffer {
  const [g1, g2] = [groupOf(reference, 'G1'), groupOf(reference, 'G2')]
  const pairs: { g1: Point; g2: Point }[] = []
  for (let at = 0; at < input.length; at += g1.length + g2.length) {
    const pair = {
      g1: g1.from(input.subarray(at, at + g1.length), true),
      g2: g2.from(input.subarray(at + g1.length, at + g1.length + g2.length), true),
    }
    if (!pair.g1.is0() && !pair.g2.is0()) pairs.push(pair)
  }
  const { Fp12 } = reference.curve.fields
  const isOne = pairs.length === 0 || Fp12.eql(reference.curve.pairingBatch(pairs as never), Fp12.ONE)
  return Buffer.from(bytesFromBigint(isOne ? 1n : 0n, 32))
}
