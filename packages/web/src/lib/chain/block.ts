import type { Block, RpcBlock, RpcTransactionReceipt, Transaction, TransactionReceipt } from 'viem'
import { formatBlock, formatTransactionReceipt } from 'viem'

/** A block with its transactions. */
export type FullBlock = Block<bigint, true, 'latest'>
export type RpcFullBlock = RpcBlock<'latest', true>
export type { Transaction, TransactionReceipt as Receipt }

export const blockFrom = (raw: RpcFullBlock): FullBlock => formatBlock(raw) as FullBlock
/** What a transaction paid on the layer below, in wei; `undefined` on chains without such a fee. */
export function l1FeeOf(receipt: TransactionReceipt): bigint | undefined {
  const { l1Fee } = receipt as { l1Fee?: unknown }
  return typeof l1Fee === 'string' ? BigInt(l1Fee) : undefined
}

export const receiptFrom = (raw: RpcTransactionReceipt): TransactionReceipt => formatTransactionReceipt(raw)
