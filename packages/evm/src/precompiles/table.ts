import { blake2f } from './blake2f.ts'
import { bls12 } from './bls12.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
import { ecrecover } from './ecrecover.ts'
import { ripemd160Precompile, sha256Precompile } from './hashes.ts'
import { pointEvaluation } from './kzg.ts'
import { modexp } from './modexp.ts'
import { p256Verify, rollupP256Verify } from './p256.ts'
import type { Precompile } from './precompile.ts'

/** By number. Which of them a fork has is in the fork table. */
export const precompiles: ReadonlyMap<number, Precompile> = new Map([
  [0x01, ecrecover],
  [0x02, sha256Precompile],
  [0x03, ripemd160Precompile],
  [0x05, modexp],
  [0x06, bn254Add],
  [0x07, bn254Multiply],
  [0x08, bn254Pairing],
  [0x09, blake2f],
  [0x0a, pointEvaluation],
  [0x0b, bls12.g1Add],
  [0x0c, bls12.g1Msm],
  [0x0d, bls12.g2Add],
  [0x0e, bls12.g2Msm],
  [0x0f, bls12.pairing],
  [0x10, bls12.mapToG1],
  [0x11, bls12.mapToG2],
  [0x100, p256Verify],
  // No fork has it there: a block names it by this number (`BlockContext.precompiles`).
  [0x101, rollupP256Verify],
])
