import { z } from 'zod'
import type { SenderContent } from '../../chain/pool/poolContent.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { TransactionObject } from '../codecs/wire.ts'
import { encodeTransaction } from './transaction.ts'

/** Transactions of the pool by decimal nonce, each formatted by `show`. */
function byNonce<Shown>(transactions: readonly Transaction[], show: (transaction: Transaction) => Shown) {
  return Object.fromEntries(transactions.map((transaction) => [transaction.nonce.toString(), show(transaction)]))
}

/** Executable and queued transactions of the pool, by sender and nonce. Senders without any are omitted. */
export function encodePool<Shown>(senders: readonly SenderContent[], show: (transaction: Transaction) => Shown) {
  const part = (which: 'pending' | 'queued') =>
    Object.fromEntries(
      senders
        .filter((sender) => sender[which].length > 0)
        .map((sender) => [sender.address, byNonce(sender[which], show)] as const),
    )
  return { pending: part('pending'), queued: part('queued') }
}

/** Like `encodePool`, for one sender. */
export function encodeSenderPool<Shown>(sender: SenderContent | undefined, show: (transaction: Transaction) => Shown) {
  return { pending: byNonce(sender?.pending ?? [], show), queued: byNonce(sender?.queued ?? [], show) }
}

/** A pending transaction, as `eth_getTransactionByHash` returns it. */
export function showWhole(transaction: Transaction) {
  return encodeTransaction({ transaction, block: undefined, index: 0 })
}

/** A pending transaction in one line, in geth's format. */
export function showLine({ to, value, gasLimit, maxFeePerGas }: Transaction): string {
  return `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`
}

const nonceRecord = <Shown extends z.ZodType>(shown: Shown) => z.record(z.string(), shown)

/** Pending transactions by nonce. */
export const SenderPool = z.object({ pending: nonceRecord(TransactionObject), queued: nonceRecord(TransactionObject) })

/** Pending transactions by sender and nonce. */
export const Pool = z.object({
  pending: z.record(z.string(), nonceRecord(TransactionObject)),
  queued: z.record(z.string(), nonceRecord(TransactionObject)),
})

/** The same, one line per transaction. */
export const PoolLines = z.object({
  pending: z.record(z.string(), nonceRecord(z.string())),
  queued: z.record(z.string(), nonceRecord(z.string())),
})
