import { createRequire } from 'node:module'
import type * as TinySecp256k1 from 'tiny-secp256k1'
import { bytesFromBigint, hexFromBytes } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import type { Address, Word } from './port.ts'

type Secp256k1 = {
  /** Answers the 65 bytes of the public key. @throws when the signature is not valid. */
  recover(hash: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | null
  sign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; yParity: number }
  publicKey(privateKey: Uint8Array, compressed: boolean): Uint8Array | null
}

type NativeBindings = {
  ecdsaRecover(signature: Uint8Array, recoveryId: number, hash: Uint8Array, compressed: boolean): Uint8Array
  ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
}

/**
 * libsecp256k1 as a prebuilt native module where there is one (some 60 µs a signature), else compiled to WebAssembly (some 300).
 */
function loadSecp256k1(): Secp256k1 {
  const require = createRequire(import.meta.url)
  try {
    const native = require('secp256k1/bindings') as NativeBindings
    return {
      recover: (hash, signature, yParity) => native.ecdsaRecover(signature, yParity, hash, false),
      sign(hash, privateKey) {
        const { signature, recid } = native.ecdsaSign(hash, privateKey)
        return { signature, yParity: recid }
      },
      publicKey: (privateKey, compressed) => native.publicKeyCreate(privateKey, compressed),
    }
  } catch {
    const { pointFromScalar, recover, signRecoverable } = require('tiny-secp256k1') as typeof TinySecp256k1
    return {
      recover: (hash, signature, yParity) => recover(hash, signature, yParity, false),
      sign(hash, privateKey) {
        const { signature, recoveryId } = signRecoverable(hash, privateKey)
        return { signature, yParity: recoveryId }
      },
      publicKey: pointFromScalar,
    }
  }
}

const secp256k1 = loadSecp256k1()

/** Signs a 32-byte hash deterministically (RFC 6979), with the lower s (EIP-2). */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): { r: Word; s: Word; yParity: 0 | 1 } {
  const { signature, yParity } = secp256k1.sign(hash, privateKey)
  return {
    r: hexFromBytes(signature.subarray(0, 32)),
    s: hexFromBytes(signature.subarray(32)),
    yParity: yParity === 1 ? 1 : 0,
  }
}

/** The public key of a private one: 33 bytes if `compressed`, else 65. Throws when the private key is not valid. */
export function publicKeyOf(privateKey: Uint8Array, form: 'compressed' | 'whole'): Uint8Array {
  const key = secp256k1.publicKey(privateKey, form === 'compressed')
  if (!key) throw new RangeError('the private key is not valid')
  return key
}

/** The 20 bytes of the signer of a 32-byte hash; `signature` is r and s, 32 bytes each. `undefined` when it is not valid. */
export function recoverAddressBytes(hash: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | undefined {
  let publicKey: Uint8Array | null = null
  try {
    publicKey = secp256k1.recover(hash, signature, yParity)
  } catch {
    // r or s is zero or not below the order, or no point has this r.
  }
  return publicKey ? keccak256(publicKey.subarray(1)).subarray(12) : undefined
}

/**
 * The signer of a hash. Any s below the order is taken: who needs low ones (EIP-2) checks that.
 * @returns `undefined` when the signature is not valid.
 */
export function recoverAddress(hash: Uint8Array, r: bigint, s: bigint, yParity: 0 | 1): Address | undefined {
  const limit = 1n << 256n
  if (r >= limit || s >= limit) return undefined
  const signature = new Uint8Array(64)
  signature.set(bytesFromBigint(r, 32))
  signature.set(bytesFromBigint(s, 32), 32)
  const address = recoverAddressBytes(hash, signature, yParity)
  return address && hexFromBytes(address)
}
