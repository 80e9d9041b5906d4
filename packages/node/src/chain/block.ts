import type { Word } from '@understudy/evm'
import type { Header } from '../ethereum/header.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import type { Base } from '../upstream/wantedState.ts'

/** A sealed block of the network. */
export type Block = {
  hash: Word
  header: Header
  base: Base
  /** Upstream's head of which followed state was read; `undefined` when nothing was followed. */
  live: Base | undefined
  transactions: Transaction[]
  /** Bytes of the RLP of the block. */
  size: bigint
  /** As of `Head`. */
  feesFrom?: Header
}

/** A transaction and where it was sealed; `undefined` while it waits in the pool. */
export type PlacedTransaction = {
  transaction: Transaction
  block: { number: bigint; hash: Word; timestamp: bigint; baseFeePerGas: bigint | undefined } | undefined
  index: number
}

/** The last block: the newest local one, or the fork's origin while there is none. */
export type Head = {
  hash: Word
  header: Header
  base: Base
  /** The block of upstream for which it was sealed, while nothing of ours ran since: fees go on from that. */
  feesFrom?: Header
}
