import type { Address, Hex, Word } from '@understudy/evm'
import { column, value } from '../bytes.ts'
import type { Queries } from '../database.ts'

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

export async function addPendingTransaction(queries: Queries, record: PendingTransactionRecord): Promise<void> {
  await queries
    .insertInto('pending_transactions')
    .values({ hash: column.hex(record.hash), sender: column.hex(record.sender), raw: column.hex(record.raw) })
    .execute()
}

export async function removePendingTransactions(queries: Queries, hashes: readonly Word[]): Promise<void> {
  if (hashes.length === 0) return
  await queries.deleteFrom('pending_transactions').where('hash', 'in', hashes.map(column.hex)).execute()
}
