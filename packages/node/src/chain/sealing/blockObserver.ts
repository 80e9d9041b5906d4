import type { BlockContext, Done, StateDiff, Word } from '@understudy/evm'
import type { LoadingView } from '../../state/view.ts'
import type { Queries } from '../../storage/database.ts'

/**
 * Looks on while blocks are made, and stores what it noted in their own commit. Everything here is called inside
 * `state.exclusive`. What it throws is logged and does not fail a block, save in the SQL transaction itself.
 */
export type BlockObserver = {
  /** A run of blocks begins on top of the newest state. One that began before and was not committed did not come to be. */
  begin(view: LoadingView): BlockObservation
  /** The network goes back to block `number`; part of that SQL transaction. */
  revertTo(queries: Queries, number: bigint): Promise<void>
}

export type BlockObservation = {
  /** The state of the block changed, by a transaction or by the protocol itself; `undefined` when it cannot be said where. */
  changed(diff: StateDiff | undefined): void
  /** A transaction ran, and `changed` was told of it. `view` is the state after it. */
  afterTransaction(transaction: ObservedTransaction): Promise<void>
  /** A block is complete. Answers what is to be stored in its commit. */
  sealed(block: ObservedBlock): Promise<(queries: Queries) => Promise<void>>
  /** The blocks are durable. `view` is the newest state when that is the state after the last of them. */
  committed(view: LoadingView | undefined): void
}

export type ObservedTransaction = {
  hash: Word
  /** Its place in the block. */
  index: number
  context: BlockContext
  view: LoadingView
  /** With the keccak preimages of mapping keys. */
  result: Done
}

export type ObservedBlock = {
  context: BlockContext
  /** The number of the block before; numbers may be left out between two blocks. */
  parentNumber: bigint
  /** The state after the block, above its base. */
  view: LoadingView
  /** Whether untouched state may have changed with it. */
  baseMoved: boolean
}
