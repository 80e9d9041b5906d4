import type { TracedRun } from '@understudy/evm'
import { z } from 'zod'
import type { Block } from '../../chain/block.ts'
import type { FromUpstream, Local } from '../../chain/origins.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import { hexFromBytes, quantity } from '../../shared/hex.ts'
import type { SearchPage as FoundPage, InternalOperation } from '../../traces/otterscan.ts'
import { encodeBlock } from './block.ts'
import { encodeReceipt } from './receipt.ts'
import { encodeEither } from './result.ts'
import { encodeTransaction } from './transaction.ts'

type Receipts = readonly (Local<Receipt> | FromUpstream)[]

const operationTypes: Record<InternalOperation['type'], number> = {
  transfer: 0,
  selfdestruct: 1,
  create: 2,
  create2: 3,
}
/** Length of a selector: lists in Otterscan show no more of an input. */
const shownInput = 10

export function encodeOperation({ type, from, to, value }: InternalOperation) {
  return { type: operationTypes[type], from, to, value: quantity(value) }
}

/** Every call of a transaction in execution order. */
export function encodeCalls({ result }: TracedRun) {
  return result.frames.map(({ type, depth, from, to, value, input, output }) => ({
    type,
    depth,
    from,
    to,
    value: type === 'STATICCALL' ? null : quantity(value),
    input: hexFromBytes(input),
    output: hexFromBytes(output),
  }))
}

/** The return data of a failed transaction; `0x` if it did not fail. */
export function encodeTransactionError({ result }: TracedRun) {
  return result.status === 'success' ? '0x' : hexFromBytes(result.output)
}

export function encodeSearchPage({ transactions, isFirst, isLast }: FoundPage) {
  return {
    txs: transactions.map(({ transaction }) => encodeEither(transaction, encodeTransaction)),
    receipts: transactions.map(({ receipt }) => encodeReceiptWithTime(receipt)),
    firstPage: isFirst,
    lastPage: isLast,
  }
}

function encodeReceiptWithTime(receipt: Local<Receipt> | FromUpstream): Record<string, unknown> {
  return receipt.origin === 'local'
    ? { ...encodeReceipt(receipt.value), timestamp: quantity(receipt.value.blockTimestamp) }
    : receipt.value
}

/** A block without transactions, with its rewards and fees. `null` if there is none. */
export function encodeBlockDetails(found: Local<Block> | FromUpstream | undefined, receipts: Receipts | undefined) {
  if (!found) return null
  const fees = (receipts ?? []).reduce((sum, receipt) => sum + feeOf(receipt), 0n)
  const none = quantity(0)
  return {
    block: withoutTransactions(found),
    issuance: { blockReward: none, uncleReward: none, issuance: none },
    totalFees: quantity(fees),
  }
}

function feeOf(receipt: Local<Receipt> | FromUpstream): bigint {
  if (receipt.origin === 'local') return receipt.value.gasUsed * receipt.value.effectiveGasPrice
  const { gasUsed, effectiveGasPrice } = receipt.value
  return BigInt(String(gasUsed ?? 0)) * BigInt(String(effectiveGasPrice ?? 0))
}

function withoutTransactions(found: Local<Block> | FromUpstream): Record<string, unknown> {
  const { transactions, ...block }: Record<string, unknown> =
    found.origin === 'local' ? encodeBlock(found.value, false) : found.value
  return { ...block, transactionCount: Array.isArray(transactions) ? transactions.length : 0 }
}

/**
 * A page of the transactions of a block; page 0 has the last ones. `found` has full transactions. `null` if there is no
 * such block.
 */
export function encodeBlockPage(
  found: Local<Block> | FromUpstream | undefined,
  receipts: Receipts | undefined,
  { page, size }: { page: number; size: number },
) {
  if (!found) return null
  const raw = found.origin === 'local' ? encodeBlock(found.value, true) : found.value
  const transactions = (Array.isArray(raw.transactions) ? raw.transactions : []) as Record<string, unknown>[]
  const end = Math.max(0, transactions.length - page * size)
  const range = [Math.max(0, end - size), end] as const
  return {
    fullblock: {
      ...withoutTransactions(found),
      transactions: transactions
        .slice(...range)
        .map((transaction) => ({ ...transaction, input: String(transaction.input ?? '0x').slice(0, shownInput) })),
    },
    receipts: (receipts ?? [])
      .slice(...range)
      .map((receipt) => ({ ...encodeReceiptWithTime(receipt), logs: null, logsBloom: null })),
  }
}

/** Number of transactions per page. A page may have more, to end with a whole block. */
export const PageSize = z.int().min(1).max(1000).meta({ title: 'PageSize', description: 'a number from 1 to 1000' })

export const PageNumber = z.int().min(0).meta({ title: 'PageNumber', description: 'a number from 0' })

const objects = z.array(z.record(z.string(), z.unknown()))

export const SearchPage = z
  .object({ txs: objects, receipts: objects, firstPage: z.boolean(), lastPage: z.boolean() })
  .meta({ title: 'SearchPage' })

export const BlockDetails = z.record(z.string(), z.unknown()).meta({
  title: 'BlockDetails',
  description: 'block (without its transactions, with transactionCount), issuance, totalFees',
})

export const BlockPage = z
  .object({ fullblock: z.record(z.string(), z.unknown()), receipts: objects })
  .meta({ title: 'BlockPage' })
