import type { Address } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Queries } from '../../storage/database.ts'
import { addPendingTransactions, removePendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { type Pool, type PoolEntry, storedHashes } from './pool.ts'

/** The pending transactions of a sender: executable ones, and queued ones after a nonce gap. */
export type SenderContent = { address: Address; pending: Transaction[]; queued: Transaction[] }

/**
 * Pending transactions by sender, in nonce order. `nonceOf` loads the next nonce of a sender; its deposits take that one and
 * those after it.
 */
export function loadPoolContent(
  pool: Pool,
  nonceOf: (address: Address) => MaybePromise<bigint>,
): Promise<SenderContent[]> {
  const load = async (address: Address) => {
    let next = await nonceOf(address)
    const entries = [...(pool.ofSender(address)?.values() ?? [])].map(({ transaction }) => transaction)
    entries.sort((a, b) => (a.nonce < b.nonce ? -1 : 1))
    const content: SenderContent = { address, pending: [], queued: [] }
    for (const { transaction } of pool.depositsOf(address)) content.pending.push({ ...transaction, nonce: next++ })
    for (const transaction of entries) {
      if (transaction.nonce === next) {
        content.pending.push(transaction)
        next++
      } else content.queued.push(transaction)
    }
    return content
  }
  return Promise.all([...new Set([...pool.senders(), ...pool.depositors()])].map(load))
}

/** Stores transactions that wait. */
export async function savePending(queries: Queries, waiting: readonly PoolEntry[]): Promise<void> {
  await removePendingTransactions(queries, storedHashes(waiting))
  const records = waiting.map(({ transaction: { hash, from, raw } }) => ({ hash, sender: from, raw }))
  await addPendingTransactions(queries, records)
}
