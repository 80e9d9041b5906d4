import type { Block, RpcBlock, RpcTransactionReceipt, Transaction, TransactionReceipt } from 'viem'
import { formatBlock, formatTransactionReceipt } from 'viem'

/** A block with its transactions. */
export type FullBlock = Block<bigint, true, 'latest'>
export type RpcFullBlock = RpcBlock<'latest', true>
export type { Transaction, TransactionReceipt as Receipt }

export const blockFrom = (raw: RpcFullBlock): FullBlock => formatBlock(raw) as FullBlock
export const receiptFrom = (raw: RpcTransactionReceipt): TransactionReceipt => formatTransactionReceipt(raw)
