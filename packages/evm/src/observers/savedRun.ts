/** A run in its middle, to start from. */
export type SavedRun = {
  /** The number of its next operation. */
  readonly operation: number
  /** The memory that it needs, in bytes. */
  readonly bytes: number
}

/** A run that has paused. */
export type SavableRun = {
  /**
   * Copies the run as it is. `undefined` if the copy would need more than `limit` bytes, and while there can be none: at the end,
   * in a slow precompile, and without `onStep`.
   */
  save(limit: number): SavedRun | undefined
}

export type SavingOptions = {
  /** Goes on with a saved run of the same message, with the same state and options. The result has no use then. */
  start?: SavedRun
  /** Called when the run pauses. It begins on an empty heap, so that what is saved is of this run. */
  onPause?(run: SavableRun): void
}
