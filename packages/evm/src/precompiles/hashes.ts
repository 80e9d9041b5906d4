import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import type { Precompile } from './table.ts'

function words(input: Uint8Array): bigint {
  return BigInt(Math.ceil(input.length / 32))
}

/** SHA2-256 (0x02). Node's own is many times faster than one in JavaScript. */
export const sha256Precompile: Precompile = {
  gas: (input) => 60n + 12n * words(input),
  run: (input) => new Uint8Array(createHash('sha256').update(input).digest()),
}

/** RIPEMD-160 (0x03), its 20 bytes at the end of a word. */
export const ripemd160Precompile: Precompile = {
  gas: (input) => 600n + 120n * words(input),
  run(input) {
    const word = new Uint8Array(32)
    word.set(ripemd160(input), 12)
    return word
  },
}
