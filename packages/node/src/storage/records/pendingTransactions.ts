import type { Address, Hex, Word } from '@understudy/evm'
import { column, value } from '../bytes.ts'
import type { Queries } from '../database.ts'
import { insertRows } from '../insertRows.ts'

export type PendingTransactionRecord = { hash: Word; sender: Address; raw: Hex }

/** In the order of their arrival. */
export async function loadPendingTransactions(queries: Queries): Promise<PendingTransactionRecord[]> {
  const rows = await queries.selectFrom('pending_transactions').selectAll().orderBy('arrival').execute()
  return rows.map((row) => ({
    hash: value.word(row.hash),
    sender: value.address(row.sender),
    raw: value.hex(row.raw),
  }))
}

/** Adds records, the first to arrive first. */
export async function addPendingTransactions(
  queries: Queries,
  records: readonly PendingTransactionRecord[],
): Promise<void> {
  const rows = records.map(({ hash, sender, raw }) => ({
    hash: column.hex(hash),
    sender: column.hex(sender),
    raw: column.hex(raw),
  }))
  await insertRows(queries, 'pending_transactions', rows)
}

export async function removePendingTransactions(queries: Queries, hashes: readonly Word[]): Promise<void> {
  if (hashes.length === 0) return
  await queries.deleteFrom('pending_transactions').where('hash', 'in', hashes.map(column.hex)).execute()
}
