import type { Selectable } from 'kysely'
import type { Queries } from '../../database.ts'
import { deleteAbove, insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import { loadSetting, saveSetting } from '../settings.ts'
import {
  hasSnapshotTransactions,
  removeUnneededSnapshotTransactions,
  reopenSnapshotTransactions,
} from './snapshotTransactions.ts'

/** A point that the network can be reverted to; `settings` are restored by the chain. */
export type SnapshotRecord = { id: number; blockNumber: number; seq: number; settings: unknown }

/** The setting that holds the last id: one that was removed is not given again. */
const lastIdKey = 'lastSnapshot'

export async function addSnapshot(queries: Queries, snapshot: Omit<SnapshotRecord, 'id'>): Promise<number> {
  const id = ((await loadSetting<number>(queries, lastIdKey)) ?? 0) + 1
  const { blockNumber, seq, settings } = snapshot
  await insertRows(queries, 'snapshots', [{ id, block_number: blockNumber, seq, settings: JSON.stringify(settings) }])
  await saveSetting(queries, lastIdKey, id)
  return id
}

/** The newest snapshots, newest first. */
export async function loadSnapshots(queries: Queries, limit: number): Promise<SnapshotRecord[]> {
  const rows = await queries.selectFrom('snapshots').selectAll().orderBy('id', 'desc').limit(limit).execute()
  return rows.map(recordFrom)
}

export async function loadSnapshot(queries: Queries, id: number): Promise<SnapshotRecord | undefined> {
  const [row] = await runStatement<Selectable<Tables['snapshots']>>(queries, 'loadSnapshot', [id], () =>
    queries.selectFrom('snapshots').selectAll().where('id', '=', id).compile(),
  )
  return row && recordFrom(row)
}

function recordFrom(row: Selectable<Tables['snapshots']>): SnapshotRecord {
  return { id: row.id, blockNumber: row.block_number, seq: row.seq, settings: JSON.parse(row.settings) }
}

/** Deletes a snapshot and later ones, when the network is as it was then. */
export async function removeSnapshotsFrom(queries: Queries, id: number): Promise<void> {
  await deleteAbove(queries, 'snapshots', 'id', id - 1)
  if (!(await hasSnapshotTransactions(queries))) return
  await reopenSnapshotTransactions(queries, id)
  await removeUnneededSnapshotTransactions(queries)
}

/** Deletes snapshots from after the change `seq`. */
export async function removeSnapshotsAfter(queries: Queries, seq: number): Promise<void> {
  await deleteAbove(queries, 'snapshots', 'seq', seq)
  if (await hasSnapshotTransactions(queries)) await removeUnneededSnapshotTransactions(queries)
}

/** Deletes snapshots of blocks before a number. */
export async function removeSnapshotsBefore(queries: Queries, number: bigint): Promise<void> {
  await queries.deleteFrom('snapshots').where('block_number', '<', Number(number)).execute()
  await removeUnneededSnapshotTransactions(queries)
}
