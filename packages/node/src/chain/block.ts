import type { Word } from '@understudy/evm'
import type { Header } from '../ethereum/header.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import type { Base } from '../upstream/wantedState.ts'

/** A block of the network. */
export type Block = {
  hash: Word
  header: Header
  base: Base
  /** The upstream head from which followed state was read; `undefined` if nothing was followed. */
  live: Base | undefined
  transactions: Transaction[]
  /** Size of the block's RLP in bytes. */
  size: bigint
  /** Like in `Head`. */
  feesFrom?: Header
  /** It is not sealed, and its hash is that of no block. */
  isPending?: true
}

/** A block that is built but not committed. */
export type BuiltBlock = {
  block: Block
  receipts: Receipt[]
  /** The RLP of its access list (EIP-7928), of forks that have them. */
  accessList: Uint8Array | undefined
}

/** A transaction and its position in a block; `undefined` while it is pending. The hash of a pending block is `undefined`. */
export type TransactionInBlock = {
  transaction: Transaction
  block:
    | (Pick<Header, 'number' | 'timestamp' | 'timestampMs' | 'baseFeePerGas'> & { hash: Word | undefined })
    | undefined
  index: number
}

/** The last block: the newest local one, or the fork's origin if there is none. */
export type Head = {
  hash: Word
  header: Header
  base: Base
  /**
   * The upstream block for which it was sealed, as long as no local transaction ran since: fees continue from that
   * block.
   */
  feesFrom?: Header
}
