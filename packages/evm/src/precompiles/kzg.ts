import { createRequire } from 'node:module'
import { sha256 } from '@noble/hashes/sha2.js'
import { bigintFromBytes, bytesFromBigint, hexFromBytes } from '../bytes.ts'
import { bls12 } from './bls12.ts'
import { concat } from './input.ts'
import type { Parts, Precompile } from './precompile.ts'

const require = createRequire(import.meta.url)

const fieldElementsPerBlob = 4096n
const scalarModulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const output = concat(bytesFromBigint(fieldElementsPerBlob, 32), bytesFromBigint(scalarModulus, 32))
const version = 1

/** A point as the precompiles of EIP-2537 take it. */
const point = (...coordinates: bigint[]) => concat(...coordinates.map((coordinate) => bytesFromBigint(coordinate, 64)))

// biome-ignore format: one coordinate a line
const g1 = point(
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
)
// biome-ignore format: one coordinate a line
const g2 = point(
  0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
  0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
  0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
)
/** What is needed of the trusted setup: its secret times the generator of G2. */
// biome-ignore format: one coordinate a line
const secretG2 = point(
  0x185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2n,
  0x15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72n,
  0x014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99n,
  0x1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154fn,
)

/** Reads a compressed point. Throws unless it is in its group. The library is loaded when the first proof comes. */
function decompress(bytes: Uint8Array): Uint8Array {
  const { bls12_381 } = require('@noble/curves/bls12-381.js') as typeof import('@noble/curves/bls12-381.js')
  const read = bls12_381.G1.Point.fromBytes(bytes)
  if (read.is0()) return point(0n, 0n)
  const { x, y } = read.toAffine()
  return point(x, y)
}

/**
 * Whether a polynomial with this commitment has the value y at z: e(commitment - y·G1 + z·proof, G2) = e(proof, secret·G2),
 * as e(-commitment + y·G1 - z·proof, G2) · e(proof, secret·G2) = 1.
 */
function* isProven(commitment: Uint8Array, z: bigint, y: bigint, proof: Uint8Array): Parts {
  const scalar = (value: bigint) => bytesFromBigint((value + scalarModulus) % scalarModulus, 32)
  const sum = concat(commitment, scalar(-1n), g1, scalar(y), proof, scalar(-z))
  const left = yield* bls12.g1Msm.parts(sum)
  return left && (yield* bls12.pairing.parts(concat(left, g2, proof, secretG2)))
}

/** Point evaluation (0x0a; EIP-4844): versioned hash, z, y, commitment, proof. */
export const pointEvaluation: Precompile = {
  gas: () => 50000n,
  *parts(input) {
    if (input.length !== 192) return undefined
    const commitment = input.subarray(96, 144)
    const versionedHash = sha256(commitment)
    versionedHash[0] = version
    if (hexFromBytes(versionedHash) !== hexFromBytes(input.subarray(0, 32))) return undefined
    const z = bigintFromBytes(input.subarray(32, 64))
    const y = bigintFromBytes(input.subarray(64, 96))
    if (z >= scalarModulus || y >= scalarModulus) return undefined
    let points: [Uint8Array, Uint8Array]
    try {
      points = [decompress(commitment), decompress(input.subarray(144))]
    } catch {
      return undefined
    }
    const isRight = yield* isProven(points[0], z, y, points[1])
    return isRight?.at(-1) === 1 ? output.slice() : undefined
  },
}
