import { createRequire } from 'node:module'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import type * as TinySecp256k1 from 'tiny-secp256k1'
import { bytesFromBigint, hexFromBytes } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import type { Address, Word } from './port.ts'

type Secp256k1 = {
  /** Answers the 65 bytes of the public key. @throws when the signature is not valid. */
  recover(hash: Uint8Array, signature: Uint8Array, yParity: 0 | 1): Uint8Array | null
  sign(
    hash: Uint8Array,
    privateKey: Uint8Array,
    entropy: Uint8Array | undefined,
  ): { signature: Uint8Array; yParity: number }
  publicKey(privateKey: Uint8Array, compressed: boolean): Uint8Array | null
}

/** What the native module exports. Each function answers 0, or the number of a reason why not. */
type NativeModule = {
  Secp256k1: new () => {
    ecdsaRecover(publicKey: Uint8Array, signature: Uint8Array, yParity: number, hash: Uint8Array): number
    ecdsaSign(
      result: { signature: Uint8Array; recid: number },
      hash: Uint8Array,
      privateKey: Uint8Array,
      entropy: Uint8Array | undefined,
    ): number
    publicKeyCreate(publicKey: Uint8Array, privateKey: Uint8Array): number
  }
}

/** Files of scripts/extractSecp256k1.mjs, by the C library of the system. */
const nativeFiles = ['secp256k1.node', 'secp256k1.glibc.node', 'secp256k1.musl.node']

/** libsecp256k1 as a prebuilt native module, some 60 µs a signature; `undefined` where there is none. */
function loadNative(): Secp256k1 | undefined {
  const folder = fileURLToPath(new URL(`../generated/secp256k1/${platform}-${arch}`, import.meta.url))
  for (const file of nativeFiles) {
    try {
      const { Secp256k1 } = createRequire(import.meta.url)(join(folder, file)) as NativeModule
      const native = new Secp256k1()
      return {
        recover(hash, signature, yParity) {
          const key = new Uint8Array(65)
          return native.ecdsaRecover(key, signature, yParity, hash) === 0 ? key : null
        },
        sign(hash, privateKey, entropy) {
          const result = { signature: new Uint8Array(64), recid: 0 }
          if (native.ecdsaSign(result, hash, privateKey, entropy) !== 0)
            throw new RangeError('the private key is not valid')
          return { signature: result.signature, yParity: result.recid }
        },
        publicKey(privateKey, compressed) {
          const key = new Uint8Array(compressed ? 33 : 65)
          return native.publicKeyCreate(key, privateKey) === 0 ? key : null
        },
      }
    } catch {
      // There is no such file, or it is for another C library.
    }
  }
  return undefined
}

/** The same compiled to WebAssembly, some 300 µs a signature. */
function loadPortable(): Secp256k1 {
  const tiny = createRequire(import.meta.url)('tiny-secp256k1') as typeof TinySecp256k1
  return {
    recover: (hash, signature, yParity) => tiny.recover(hash, signature, yParity, false),
    sign(hash, privateKey, entropy) {
      const { signature, recoveryId } = tiny.signRecoverable(hash, privateKey, entropy)
      return { signature, yParity: recoveryId }
    },
    publicKey: tiny.pointFromScalar,
  }
}

const secp256k1 = loadNative() ?? loadPortable()

/**
 * Signs a 32-byte hash deterministically (RFC 6979), with the lower s (EIP-2). With other `entropy`, 32 bytes, it has another
 * signature.
 */
export function signHash(
  hash: Uint8Array,
  privateKey: Uint8Array,
  entropy?: Uint8Array,
): { r: Word; s: Word; yParity: 0 | 1 } {
  const { signature, yParity } = secp256k1.sign(hash, privateKey, entropy)
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
