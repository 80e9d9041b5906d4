import type { CurvePoint, CurvePointCons } from '@noble/curves/abstract/curve.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bigintFromBytes, bytesFromBigint } from '../bytes.ts'
import { g1Discounts, g2Discounts } from './bls12Discounts.ts'
import { attempt, attemptParts, concat, isZero, wordFromBoolean } from './input.ts'
import { isOne } from './pairing.ts'
import type { Precompile } from './precompile.ts'

const { Fp, Fp2, Fr } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
type G1Point = InstanceType<typeof G1>
type G2Point = InstanceType<typeof G2>

const fieldLength = 64
const g1Length = 2 * fieldLength
const g2Length = 4 * fieldLength
const scalarLength = 32

/** A field element is 64 bytes: 16 zeros and the number. @throws when it is not. */
function fieldElement(bytes: Uint8Array, index: number): bigint {
  const value = bigintFromBytes(bytes.subarray(index * fieldLength, (index + 1) * fieldLength))
  if (value >= Fp.ORDER) throw new RangeError('coordinate outside the field')
  return value
}

function fieldPair(bytes: Uint8Array, index: number): ReturnType<typeof Fp2.fromBigTuple> {
  return Fp2.fromBigTuple([fieldElement(bytes, index), fieldElement(bytes, index + 1)])
}

type Checked = { isTorsionFree(): boolean }

/** Points that are only added need not be in the subgroup. @throws when the point is not on the curve or not in the subgroup. */
function check(point: Checked, onCurve: boolean, subgroup: boolean): void {
  if (!onCurve) throw new RangeError('not on the curve')
  if (subgroup && !point.isTorsionFree()) throw new RangeError('not in the subgroup')
}

const g1B = 4n
const g2B = Fp2.fromBigTuple([4n, 4n])

function g1FromBytes(bytes: Uint8Array, subgroup: boolean): G1Point {
  if (isZero(bytes)) return G1.ZERO
  const [x, y] = [fieldElement(bytes, 0), fieldElement(bytes, 1)]
  const point = G1.fromAffine({ x, y })
  check(point, Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), g1B)), subgroup)
  return point
}

function g2FromBytes(bytes: Uint8Array, subgroup: boolean): G2Point {
  if (isZero(bytes)) return G2.ZERO
  const [x, y] = [fieldPair(bytes, 0), fieldPair(bytes, 2)]
  const point = G2.fromAffine({ x, y })
  check(point, Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), g2B)), subgroup)
  return point
}

function bytesFromG1(point: G1Point): Uint8Array {
  const { x, y } = point.toAffine()
  return concat(bytesFromBigint(x, fieldLength), bytesFromBigint(y, fieldLength))
}

function bytesFromG2(point: G2Point): Uint8Array {
  const { x, y } = point.toAffine()
  return concat(...[x.c0, x.c1, y.c0, y.c1].map((part) => bytesFromBigint(part, fieldLength)))
}

/** A precompile with a fixed input length whose computation throws for bad input. */
function fixed(gas: bigint, length: number, compute: (input: Uint8Array) => Uint8Array): Precompile {
  return { gas: () => gas, run: (input) => (input.length === length ? attempt(() => compute(input)) : undefined) }
}

/** The parts of an input of whole entries. */
function* entries(input: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < input.length; at += length) yield input.subarray(at, at + length)
}

function msm(
  pairLength: number,
  perPair: bigint,
  discounts: readonly number[],
  compute: (input: Uint8Array) => Generator<undefined, Uint8Array>,
): Precompile {
  return {
    gas(input) {
      const count = Math.floor(input.length / pairLength)
      if (count === 0) return 0n
      const discount = discounts[Math.min(count, discounts.length) - 1] as number
      return (BigInt(count) * perPair * BigInt(discount)) / 1000n
    },
    *parts(input) {
      return input.length > 0 && input.length % pairLength === 0 ? yield* attemptParts(compute(input)) : undefined
    },
  }
}

/** So many products, and their sum is quicker computed together. */
const fewProducts = 16
/** Products that are computed together at the most: their points are held in memory. */
const productsTogether = 512

/** The sum of the points of an input, each times its scalar. */
function* sumOfProducts<Point extends CurvePoint<unknown, Point>>(
  curve: CurvePointCons<Point>,
  input: Uint8Array,
  pointLength: number,
  pointFrom: (bytes: Uint8Array, subgroup: boolean) => Point,
): Generator<undefined, Point> {
  let sum = curve.ZERO
  let [points, scalars]: [Point[], bigint[]] = [[], []]
  function* addProducts() {
    if (points.length > fewProducts) {
      sum = sum.add(yield* sumInBuckets(curve, points, scalars))
    } else {
      for (const [index, point] of points.entries()) {
        sum = sum.add(point.multiplyUnsafe(scalars[index] as bigint))
        yield
      }
    }
    ;[points, scalars] = [[], []]
  }
  for (const entry of entries(input, pointLength + scalarLength)) {
    points.push(pointFrom(entry.subarray(0, pointLength), true))
    scalars.push(scalarFromBytes(entry.subarray(pointLength)))
    yield
    if (points.length === productsTogether) yield* addProducts()
  }
  yield* addProducts()
  return sum
}

/** Additions of points between two pauses. */
const additionsTogether = 64

/**
 * The sum of products by Pippenger's method: in each window of the scalars' bits, points with the same digit are added first,
 * and each sum is then multiplied by its digit once.
 */
function* sumInBuckets<Point extends CurvePoint<unknown, Point>>(
  curve: CurvePointCons<Point>,
  points: readonly Point[],
  scalars: readonly bigint[],
): Generator<undefined, Point> {
  const width = Math.max(Math.floor(Math.log2(points.length)) - 2, 2)
  const mask = (1n << BigInt(width)) - 1n
  const windows = Math.ceil(Fr.BITS / width)
  let additions = 0
  const isTime = () => ++additions % additionsTogether === 0
  let sum = curve.ZERO
  for (let window = windows - 1; window >= 0; window--) {
    for (let bit = 0; bit < width; bit++) sum = sum.double()
    const buckets = new Array<Point>(Number(mask) + 1).fill(curve.ZERO)
    for (const [index, point] of points.entries()) {
      const digit = Number(((scalars[index] as bigint) >> BigInt(window * width)) & mask)
      if (digit === 0) continue
      buckets[digit] = (buckets[digit] as Point).add(point)
      if (isTime()) yield
    }
    // The highest bucket is added as often as its digit says, and so on.
    let running = curve.ZERO
    for (let digit = buckets.length - 1; digit > 0; digit--) {
      running = running.add(buckets[digit] as Point)
      sum = sum.add(running)
      if (isTime()) yield
    }
  }
  return sum
}

function scalarFromBytes(bytes: Uint8Array): bigint {
  return Fr.create(bigintFromBytes(bytes))
}

// The library's types know neither the plain number that the first takes, nor which points come out.
const mapToG1 = bls12_381.G1.mapToCurve as unknown as (element: bigint) => G1Point
const mapToG2 = bls12_381.G2.mapToCurve as unknown as (element: [bigint, bigint]) => G2Point

const pairingLength = g1Length + g2Length

/** The precompiles of EIP-2537. */
export const bls12 = {
  g1Add: fixed(375n, 2 * g1Length, (input) =>
    bytesFromG1(g1FromBytes(input.subarray(0, g1Length), false).add(g1FromBytes(input.subarray(g1Length), false))),
  ),
  g2Add: fixed(600n, 2 * g2Length, (input) =>
    bytesFromG2(g2FromBytes(input.subarray(0, g2Length), false).add(g2FromBytes(input.subarray(g2Length), false))),
  ),
  g1Msm: msm(g1Length + scalarLength, 12000n, g1Discounts, function* (input) {
    return bytesFromG1(yield* sumOfProducts(G1, input, g1Length, g1FromBytes))
  }),
  g2Msm: msm(g2Length + scalarLength, 22500n, g2Discounts, function* (input) {
    return bytesFromG2(yield* sumOfProducts(G2, input, g2Length, g2FromBytes))
  }),
  pairing: {
    gas: (input) => 37700n + 32600n * BigInt(Math.floor(input.length / pairingLength)),
    *parts(input) {
      return input.length > 0 && input.length % pairingLength === 0
        ? yield* attemptParts(checkPairing(input))
        : undefined
    },
  } satisfies Precompile,
  mapToG1: fixed(5500n, fieldLength, (input) => {
    return bytesFromG1(mapToG1(fieldElement(input, 0)))
  }),
  mapToG2: fixed(23800n, 2 * fieldLength, (input) => {
    const element: [bigint, bigint] = [fieldElement(input, 0), fieldElement(input, 1)]
    return bytesFromG2(mapToG2(element))
  }),
}

function* checkPairing(input: Uint8Array): Generator<undefined, Uint8Array> {
  const pairs: { g1: G1Point; g2: G2Point }[] = []
  for (const entry of entries(input, pairingLength)) {
    const g1 = g1FromBytes(entry.subarray(0, g1Length), true)
    const g2 = g2FromBytes(entry.subarray(g1Length), true)
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 })
    yield
  }
  return wordFromBoolean(yield* isOne(bls12_381, pairs))
}
