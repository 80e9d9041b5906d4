import type { PriceChange } from '../ethereum/chains/prices/chainPrices.ts'
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
  /** The logs of blocks that are about to be reverted, if any; emitted before `reverted`. */
  logsRemoved: LogEntry[]
  /** The network was reverted to this block. */
  reverted: Head
  /** Emitted after the events of blocks: there is a new head. */
  head: Head
  /** The live chain has a new head. */
  upstream: Base
  mode: MiningMode
  /** The rules of the live chain changed, and those of the network with them. */
  rules: { hardfork: string; prices: PriceChange[] }
}
