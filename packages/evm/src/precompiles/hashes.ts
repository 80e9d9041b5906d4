import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import type { Precompile } from './precompile.ts'

function words(input: Uint8Array): bigint {
  return BigInt(Math.ceil(input.length / 32))
}

/** Bytes that are hashed in a few milliseconds. */
const bytesTogether = 128 * 1024

type Hash = { update(part: Uint8Array): unknown; digest(): Uint8Array }

/** Hashes an input in parts. */
function* digest(hash: Hash, input: Uint8Array): Generator<undefined, Uint8Array> {
  for (let at = 0; at < input.length; at += bytesTogether) {
    if (at > 0) yield
    hash.update(input.subarray(at, at + bytesTogether))
  }
  return hash.digest()
}

/** SHA2-256 (0x02). Node's own is many times faster than one in JavaScript. */
export const sha256Precompile: Precompile = {
  gas: (input) => 60n + 12n * words(input),
  *parts(input) {
    return new Uint8Array(yield* digest(createHash('sha256'), input))
  },
}

/** RIPEMD-160 (0x03), its 20 bytes at the end of a word. */
export const ripemd160Precompile: Precompile = {
  gas: (input) => 600n + 120n * words(input),
  *parts(input) {
    const word = new Uint8Array(32)
    word.set(yield* digest(ripemd160.create(), input), 12)
    return word
  },
}
