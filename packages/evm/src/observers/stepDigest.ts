/**
 * Hashes of a run. `onStep` is told of each `every`th operation, and of those that may begin or end a frame. The results of
 * `reads`, operations of 0x30 to 0x6f, are hashed too.
 */
export type StepDigest = {
  every: number
  reads: ReadonlySet<number>
  /** Told of the operations up to this one, and of what those before it read. */
  at(number: number, steps: bigint, reads: bigint): void
}
