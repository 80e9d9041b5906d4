/**
 * What runs have reached of a code. Positions are program counters: of the first operation of a basic block, or, with
 * `takenJump` added, of a JUMPI that jumped. A call or creation ends a block too, because it may use up all gas. A block counts
 * as a whole, even if the gas does not suffice for all of it.
 */
export type ReachedCode = {
  hash: `0x${string}`
  /** It ran to create a contract: init code, with the arguments. */
  isCreation: boolean
  positions: number[]
  /** The code itself. Valid until the sink returns. */
  code(): Uint8Array
}

/** Added to the position of a JUMPI that jumped. Those whose target is not pushed just before by PUSH2 are not told of. */
export const takenJump = 0x80000000

/** Receives what runs reach: each position of a code once for each engine and session, or more often. */
export type CoverageSink = {
  /** 0 while coverage is off, which then costs nothing; else a number that no other session of the process has. */
  readonly session: number
  /** `session`: in which the run began. */
  add(session: number, reached: ReachedCode): void
}
