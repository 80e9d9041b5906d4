import { type Selectable, sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import { rowsOf } from '../../tables.ts'
import { chunks } from '../state/localState.ts'
import type { PendingTransactionRecord } from './pendingTransactions.ts'

type Row = Selectable<Tables['snapshot_transactions']>

/** The last snapshot of a transaction that has not left the pool since. */
const stillWaiting = Number.MAX_SAFE_INTEGER

/**
 * Stores which transactions wait, in order of arrival, at a new snapshot. Each is stored once, with the first and the
 * last snapshot at which it waited.
 */
export async function addSnapshotTransactions(
  queries: Queries,
  snapshot: number,
  waiting: readonly PendingTransactionRecord[],
): Promise<void> {
  const rows = await runStatement<Pick<Row, 'hash'>>(queries, 'loadStillWaiting', [stillWaiting], () =>
    queries.selectFrom('snapshot_transactions').select('hash').where('last_snapshot', '=', stillWaiting).compile(),
  )
  if (rows.length === 0 && waiting.length === 0) return
  const known = new Set(rows.map(({ hash }) => value.word(hash)))
  const now = new Set(waiting.map(({ hash }) => hash))
  const left = [...known].filter((hash) => !now.has(hash))
  for (const hashes of chunks(left.map(column.hex)))
    await queries
      .updateTable('snapshot_transactions')
      .set({ last_snapshot: snapshot - 1 })
      .where('last_snapshot', '=', stillWaiting)
      .where('hash', 'in', hashes)
      .execute()
  const added = waiting.filter(({ hash }) => !known.has(hash))
  await insertRows(
    queries,
    'snapshot_transactions',
    added.map(({ hash, sender, raw }, position) => ({
      first_snapshot: snapshot,
      position,
      last_snapshot: stillWaiting,
      hash: column.hex(hash),
      sender: column.hex(sender),
      raw: column.hex(raw),
    })),
  )
}

/** The transactions that waited at a snapshot, in order of arrival. */
export async function loadSnapshotTransactions(
  queries: Queries,
  snapshot: number,
): Promise<PendingTransactionRecord[]> {
  const rows = await runStatement<Row>(queries, 'loadSnapshotTransactions', [snapshot, snapshot], () =>
    queries
      .selectFrom('snapshot_transactions')
      .selectAll()
      .where('first_snapshot', '<=', snapshot)
      .where('last_snapshot', '>=', snapshot)
      .orderBy('first_snapshot')
      .orderBy('position')
      .compile(),
  )
  return rows.map(({ hash, sender, raw }) => ({
    hash: value.word(hash),
    sender: value.address(sender),
    raw: value.hex(raw),
  }))
}

/** Whether transactions waited at any snapshot. */
export async function hasSnapshotTransactions(queries: Queries): Promise<boolean> {
  const rows = await runStatement(queries, 'hasSnapshotTransactions', [], () =>
    queries.selectFrom('snapshot_transactions').select(sql.lit(1).as('one')).limit(sql.lit(1)).compile(),
  )
  return rows.length > 0
}

/** What waited at a snapshot waits again. */
export async function reopenSnapshotTransactions(queries: Queries, snapshot: number): Promise<void> {
  await queries
    .updateTable('snapshot_transactions')
    .set({ last_snapshot: stillWaiting })
    .where('first_snapshot', '<', snapshot)
    .where('last_snapshot', '>=', snapshot)
    .execute()
}

/** Deletes the transactions that waited at no snapshot that is left. */
export async function removeUnneededSnapshotTransactions(queries: Queries): Promise<void> {
  const isUnneeded = sql<boolean>`first_snapshot > (select coalesce(max(id), 0) from ${rowsOf('snapshots')})
    or last_snapshot < (select coalesce(min(id), 0) from ${rowsOf('snapshots')})`
  await queries.deleteFrom('snapshot_transactions').where(isUnneeded).execute()
}
