import type { Queries } from '../../storage/database.ts'
import { addPendingTransactions, removePendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { type PoolEntry, storedHashes } from './pool.ts'

/** Stores transactions that wait. */
export async function savePending(queries: Queries, waiting: readonly PoolEntry[]): Promise<void> {
  await removePendingTransactions(queries, storedHashes(waiting))
  const records = waiting.map(({ transaction: { hash, from, raw } }) => ({ hash, sender: from, raw }))
  await addPendingTransactions(queries, records)
}
