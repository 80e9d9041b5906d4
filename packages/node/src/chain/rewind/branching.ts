import type { Queries } from '../../storage/database.ts'

/** What reverts and pruning of a network do for its branches, and for itself if it is one. */
export type Branching = {
  /** The oldest block that may not be deleted because branches read it; `undefined` if there is none. */
  oldestNeeded(): bigint | undefined
  /**
   * Gives the samples of a tracked item to the branches that read them, before they are deleted. Throws
   * `LIMIT_EXCEEDED`.
   */
  keepSamples(queries: Queries, item: number): Promise<void>
  /** The steps of a revert to a point, in its SQL transaction. */
  revertTo(point: { seq: number; block: number }): {
    /** Copies what branches read of the changes and blocks after the point, before they are deleted. */
    keep(queries: Queries): Promise<void>
    /** Ends what the network reads of other networks at the point. */
    cut(queries: Queries): Promise<void>
    /** Call if the transaction failed. */
    undo(): Promise<void>
  }
}
