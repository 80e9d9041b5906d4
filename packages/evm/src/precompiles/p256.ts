import { p256 } from '@noble/curves/nist.js'
import { concat, wordFromBoolean } from './input.ts'
import type { Precompile } from './precompile.ts'

/** P256VERIFY (0x100; EIP-7951): hash, r, s, x, y → 1, or nothing. */
export const p256Verify: Precompile = {
  gas: () => 6900n,
  run(input) {
    if (input.length !== 160) return new Uint8Array(0)
    const publicKey = concat(Uint8Array.of(4), input.subarray(96, 160))
    let valid = false
    try {
      valid = p256.verify(input.subarray(32, 96), input.subarray(0, 32), publicKey, { lowS: false, prehash: false })
    } catch {
      // Not a signature, or not a point of the curve.
    }
    return valid ? wordFromBoolean(true) : new Uint8Array(0)
  },
}

/** The same as rollups had it before (RIP-7212). */
export const rollupP256Verify: Precompile = { ...p256Verify, gas: () => 3450n }
