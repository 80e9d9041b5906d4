import type { ForkRules } from '../forks.ts'

/** What a precompile answers; `undefined` when the call fails and takes all its gas. */
type Output = Uint8Array | undefined

/** A computation in parts of a few milliseconds: it yields between them. */
export type Parts = Generator<undefined, Output>

/** A contract of the protocol. identity (4) is in the engine. */
export type Precompile = {
  /** What a call with this input costs, in gas; known before anything is computed. */
  gas(input: Uint8Array, rules: ForkRules): bigint
} & (
  | { run(input: Uint8Array, rules: ForkRules): Output }
  | { parts(input: Uint8Array, rules: ForkRules, compressor: Compressor): Parts }
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
