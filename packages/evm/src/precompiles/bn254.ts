import { bn254 } from '@noble/curves/bn254.js'
import { bigintFromBytes, bytesFromBigint } from '../bytes.ts'
import { attempt, attemptParts, concat, isZero, slice, wordFromBoolean } from './input.ts'
import { isOne } from './pairing.ts'
import type { Precompile } from './precompile.ts'

const { Fp, Fp2, Fr } = bn254.fields
const G1 = bn254.G1.Point
const G2 = bn254.G2.Point
type G1Point = InstanceType<typeof G1>
type G2Point = InstanceType<typeof G2>

/** @throws for a coordinate that is not in the field. */
function fieldElement(bytes: Uint8Array): bigint {
  const value = bigintFromBytes(bytes)
  if (value >= Fp.ORDER) throw new RangeError('coordinate outside the field')
  return value
}

/** @throws for a point that is not on the curve. */
function g1FromBytes(bytes: Uint8Array): G1Point {
  if (isZero(bytes)) return G1.ZERO
  const point = G1.fromAffine({ x: fieldElement(bytes.subarray(0, 32)), y: fieldElement(bytes.subarray(32, 64)) })
  point.assertValidity()
  return point
}

/** @throws for a point that is not on the curve or not in its subgroup. */
function g2FromBytes(bytes: Uint8Array): G2Point {
  if (isZero(bytes)) return G2.ZERO
  const part = (index: number) => fieldElement(bytes.subarray(index * 32, index * 32 + 32))
  const x = Fp2.fromBigTuple([part(1), part(0)])
  const y = Fp2.fromBigTuple([part(3), part(2)])
  const point = G2.fromAffine({ x, y })
  point.assertValidity()
  return point
}

function bytesFromG1(point: G1Point): Uint8Array {
  const { x, y } = point.toAffine()
  return concat(bytesFromBigint(x, 32), bytesFromBigint(y, 32))
}

/** ECADD (0x06; EIP-196, EIP-1108). */
export const bn254Add: Precompile = {
  gas: () => 150n,
  run: (input) => attempt(() => bytesFromG1(g1FromBytes(slice(input, 0, 64)).add(g1FromBytes(slice(input, 64, 64))))),
}

/** ECMUL (0x07). */
export const bn254Multiply: Precompile = {
  gas: () => 6000n,
  run: (input) =>
    attempt(() => {
      const point = g1FromBytes(slice(input, 0, 64))
      const scalar = Fr.create(bigintFromBytes(slice(input, 64, 32)))
      return bytesFromG1(scalar === 0n ? G1.ZERO : point.multiplyUnsafe(scalar))
    }),
}

const pairLength = 192

/** ECPAIRING (0x08; EIP-197). */
export const bn254Pairing: Precompile = {
  gas: (input) => 45000n + 34000n * BigInt(Math.floor(input.length / pairLength)),
  *parts(input) {
    return input.length % pairLength === 0 ? yield* attemptParts(checkPairing(input)) : undefined
  },
}

function* checkPairing(input: Uint8Array): Generator<undefined, Uint8Array> {
  const pairs: { g1: G1Point; g2: G2Point }[] = []
  for (let at = 0; at < input.length; at += pairLength) {
    const g1 = g1FromBytes(input.subarray(at, at + 64))
    const g2 = g2FromBytes(input.subarray(at + 64, at + pairLength))
    if (!g1.is0() && !g2.is0()) pairs.push({ g1, g2 })
    yield
  }
  return wordFromBoolean(yield* isOne(bn254, pairs))
}
