import type { Rules } from '../forks.ts'
import { blake2f } from './blake2f.ts'
import { bls12 } from './bls12.ts'
import { bn254Add, bn254Multiply, bn254Pairing } from './bn254.ts'
import { ecrecover } from './ecrecover.ts'
import { ripemd160Precompile, sha256Precompile } from './hashes.ts'
import { pointEvaluation } from './kzg.ts'
import { modexp } from './modexp.ts'
import { p256Verify } from './p256.ts'

/** What a precompile answers; `undefined` when the call fails and takes all its gas. */
type Output = Uint8Array | undefined

/** A computation in parts of a few milliseconds: it yields between them. */
export type Parts = Generator<undefined, Output>

/** A contract of the protocol. identity (4) is in the engine. */
export type Precompile = {
  /** What a call with this input costs, in gas; known before anything is computed. */
  gas(input: Uint8Array, rules: Rules): bigint
} & (
  | { run(input: Uint8Array, rules: Rules): Output }
  | { parts(input: Uint8Array, rules: Rules, compressor: Compressor): Parts }
)

/** BLAKE2b's compression function, which the engine has. */
export type Compressor = {
  /** Takes a precompile's input without the rounds: 209 bytes. */
  begin(input: Uint8Array): void
  /** Runs the rounds [from, to) of `rounds`. */
  run(from: number, to: number, rounds: number): void
  /** The 64 bytes that the last round left. */
  output(): Uint8Array
}

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
])
