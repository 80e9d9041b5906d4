import type { SenderContent } from '../../chain/pool/poolContent.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { encodeTransaction } from './transaction.ts'

/** Transactions of the pool by nonce in decimal digits, each shown by `show`. */
function byNonce<Shown>(transactions: readonly Transaction[], show: (transaction: Transaction) => Shown) {
  return Object.fromEntries(transactions.map((transaction) => [transaction.nonce.toString(), show(transaction)]))
}

/** What of the pool can run and what cannot yet, by sender and nonce. Senders with neither are left out. */
export function encodePool<Shown>(senders: readonly SenderContent[], show: (transaction: Transaction) => Shown) {
  const part = (which: 'pending' | 'queued') =>
    Object.fromEntries(
      senders
        .filter((sender) => sender[which].length > 0)
        .map((sender) => [sender.address, byNonce(sender[which], show)] as const),
    )
  return { pending: part('pending'), queued: part('queued') }
}

/** As `encodePool`, of one sender. */
export function encodeSenderPool<Shown>(sender: SenderContent | undefined, show: (transaction: Transaction) => Shown) {
  return { pending: byNonce(sender?.pending ?? [], show), queued: byNonce(sender?.queued ?? [], show) }
}

/** A transaction that waits, as `eth_getTransactionByHash` shows it. */
export function showWhole(transaction: Transaction) {
  return encodeTransaction({ transaction, block: undefined, index: 0 })
}

/** A transaction that waits, in one line as geth writes it. */
export function showLine({ to, value, gasLimit, maxFeePerGas }: Transaction): string {
  return `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`
}
