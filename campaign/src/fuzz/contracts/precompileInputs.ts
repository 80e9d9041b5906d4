import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'

export type PrecompileInput = { name: string; address: number; input: string }

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
const field = (value: bigint) => value.toString(16).padStart(128, '0')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The generators of the curves, which are valid points. */
const bn254G1 = word(1) + word(2)
const bn254G2 = [
  0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n,
  0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn,
  0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn,
  0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan,
]
  .map(word)
  .join('')
const bls12G1 = [
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
]
  .map(field)
  .join('')
const bls12G2 = [
  0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
  0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
  0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
]
  .map(field)
  .join('')

const scalar = 'ff'.repeat(32)
const digest = new Uint8Array(32).fill(7)
const secret = new Uint8Array(32).fill(9)

function recoverable(): string {
  const signature = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  return hex(digest) + word(27 + (signature[0] ?? 0)) + hex(signature.subarray(1))
}

function p256Signature(): string {
  const signature = p256.sign(digest, secret, { prehash: false, format: 'compact' })
  return hex(digest) + hex(signature) + hex(p256.getPublicKey(secret, false).subarray(1))
}

/** A commitment to the polynomial zero, which is zero everywhere. */
function blobProof(): string {
  const infinity = `c0${'00'.repeat(47)}`
  const hash = sha256(Buffer.from(infinity, 'hex'))
  hash[0] = 1
  return hex(hash) + word(5) + word(0) + infinity + infinity
}

function modexp(base: number, exponent: number, modulus: number, fill = 'ff'): string {
  return (
    word(base) +
    word(exponent) +
    word(modulus) +
    fill.repeat(base + exponent + modulus - 1) +
    fill.replace('f', 'e').slice(0, 2)
  )
}

/** Valid calls of precompiles with the inputs that take the most work for their gas. */
export const precompileInputs: readonly PrecompileInput[] = [
  { name: 'ecrecover', address: 1, input: recoverable() },
  { name: 'sha256', address: 2, input: 'ab'.repeat(64) },
  { name: 'sha256 of much', address: 2, input: 'ab'.repeat(20_000) },
  { name: 'ripemd160', address: 3, input: 'ab'.repeat(20_000) },
  { name: 'identity', address: 4, input: 'ab'.repeat(20_000) },
  { name: 'modexp, small', address: 5, input: modexp(32, 32, 32) },
  { name: 'modexp, one byte of exponent', address: 5, input: modexp(1024, 1, 1024) },
  { name: 'modexp, 200 bytes', address: 5, input: modexp(200, 200, 200) },
  { name: 'modexp, largest', address: 5, input: modexp(1024, 1024, 1024) },
  { name: 'modexp, larger than may be', address: 5, input: modexp(1025, 3, 1025) },
  { name: 'bn254 add', address: 6, input: bn254G1 + bn254G1 },
  { name: 'bn254 multiply', address: 7, input: bn254G1 + scalar },
  { name: 'bn254 pairing', address: 8, input: (bn254G1 + bn254G2).repeat(1) },
  { name: 'bn254 pairing, 30 pairs', address: 8, input: (bn254G1 + bn254G2).repeat(30) },
  { name: 'blake2f, 0 rounds', address: 9, input: `00000000${'11'.repeat(208)}01` },
  { name: 'blake2f, a million rounds', address: 9, input: `000f4240${'11'.repeat(208)}01` },
  { name: 'blake2f, most rounds', address: 9, input: `ffffffff${'11'.repeat(208)}01` },
  { name: 'point evaluation', address: 10, input: blobProof() },
  { name: 'bls12 g1 add', address: 11, input: bls12G1 + bls12G1 },
  { name: 'bls12 g1 msm', address: 12, input: bls12G1 + scalar },
  { name: 'bls12 g1 msm, 128 points', address: 12, input: (bls12G1 + scalar).repeat(128) },
  { name: 'bls12 g2 add', address: 13, input: bls12G2 + bls12G2 },
  { name: 'bls12 g2 msm', address: 14, input: bls12G2 + scalar },
  { name: 'bls12 g2 msm, 128 points', address: 14, input: (bls12G2 + scalar).repeat(128) },
  { name: 'bls12 pairing', address: 15, input: bls12G1 + bls12G2 },
  { name: 'bls12 pairing, 30 pairs', address: 15, input: (bls12G1 + bls12G2).repeat(30) },
  { name: 'bls12 map to g1', address: 16, input: field(12345n) },
  { name: 'bls12 map to g2', address: 17, input: field(12345n) + field(54321n) },
  { name: 'p256 verify', address: 0x100, input: p256Signature() },
]
