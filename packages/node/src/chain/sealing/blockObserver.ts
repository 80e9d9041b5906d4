import type { BlockContext, Done, StateDiff, Word } from '@understudy/evm'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Queries } from '../../storage/database.ts'

/**
 * Observes blocks while they are built, and stores its observations in their commit. All methods are called inside
 * `state.exclusive`. Errors are logged and do not fail a block, except inside the SQL transaction.
 */
export type BlockObserver = {
  /**
   * Called when a group of blocks begins on the newest state. An earlier group that was not committed was discarded.
   */
  begin(view: LoadingView): BlockObservation
  /** Whether there is anything to observe in blocks without transactions. */
  observesEmptyBlocks(): boolean
  /** Called when the network reverts to block `number`, inside that SQL transaction. */
  revertTo(queries: Queries, number: bigint): Promise<void>
}

export type SaveObserved = (queries: Queries) => Promise<void>

/** What does not have to wait returns no promise: most transactions and blocks interest no observer. */
export type BlockObservation = {
  /** The state changed, by a transaction or by the protocol itself; `undefined` if it is unknown where. */
  changed(diff: StateDiff | undefined): void
  /** A transaction ran, after `changed` was called for it. `view` is the state after it. */
  afterTransaction(transaction: ObservedTransaction): Promise<void> | undefined
  /** A block is complete. Returns a function that stores observations in its commit, if there are any. */
  sealed(block: ObservedBlock): MaybePromise<SaveObserved | undefined>
  /** Whether the network is to seal no more blocks by itself after those that were sealed. */
  pauses?(): boolean
  /** The blocks are durable. `view` is the newest state if that is the state after the last block. */
  committed(view: LoadingView | undefined): void
}

/** What nothing interests. */
export const unobserved: BlockObservation = {
  changed() {},
  afterTransaction: () => undefined,
  sealed: () => undefined,
  committed() {},
}

export type ObservedTransaction = {
  hash: Word
  /** Its index in the block. */
  index: number
  context: BlockContext
  view: LoadingView
  /** With the keccak preimages of mapping keys. */
  result: Done
}

export type ObservedBlock = {
  context: BlockContext
  /** The number of the previous block; numbers can be skipped between two blocks. */
  parentNumber: bigint
  /** The state after the block, on its base. */
  view: LoadingView
  /** Whether untouched state may have changed with the block. */
  baseMoved: boolean
}
