import type { Address, Hex, Word } from '@understudy/evm'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

export type PendingTransactionRecord = { hash: Word; sender: Address; raw: Hex }

/** Hashes per statement, below SQLite's limit of bound values. */
const chunkSize = 1000

/** All, or those with these hashes, in order of arrival. */
export async function loadPendingTransactions(
  queries: Queries,
  hashes?: readonly Word[],
): Promise<PendingTransactionRecord[]> {
  const found: PendingTransactionRecord[] = []
  const select = queries.selectFrom('pending_transactions').selectAll().orderBy('arrival')
  for (let start = 0; start < (hashes?.length ?? 1); start += chunkSize) {
    const chunk = hashes?.slice(start, start + chunkSize).map(column.hex)
    for (const row of await (chunk ? select.where('hash', 'in', chunk) : select).execute())
      found.push({ hash: value.word(row.hash), sender: value.address(row.sender), raw: value.hex(row.raw) })
  }
  return found
}

/** In order of arrival. */
export async function loadPendingHashes(queries: Queries): Promise<Word[]> {
  const rows = await queries.selectFrom('pending_transactions').select('hash').orderBy('arrival').execute()
  return rows.map(({ hash }) => value.word(hash))
}

/** Adds records, first arrival first. */
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
