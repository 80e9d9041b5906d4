import type { LogEntry } from '../ethereum/log.ts'
import type { MiningMode } from '../ethereum/miningMode.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Block, Head } from './block.ts'

export type ChainEvents = {
  /** A block was sealed and is durable. */
  block: { block: Block; receipts: Receipt[] }
  /** A transaction entered the pool. */
  pending: Transaction
  /** What blocks held that are about to be undone; before `reverted`, when there were any. */
  logsRemoved: LogEntry[]
  /** The network was taken back to this block. */
  reverted: Head
  /** After the events of blocks: the newest is another one. */
  head: Head
  /** The live chain has a new head. */
  upstream: Base
  mode: MiningMode
  /** The rules of the live chain changed, and those of the network with them. */
  rules: { hardfork: string }
}
