import { sql } from 'kysely'
import type { Queries } from '../../database.ts'
import { prunedTables, rowsOf } from '../../tables.ts'
import { loadBlock, removeBlocksBefore } from './blocks.ts'
import { removeSnapshotsBefore } from './snapshots.ts'

/** Maximum number of blocks deleted in one step, so that it takes some milliseconds. */
const stepBlocks = 200

/**
 * Deletes one step of the oldest blocks before `oldest`, with their contents and the state that only they used.
 * Deployments, tracked values and known mapping keys are kept. Returns the first block that still exists.
 */
export async function pruneStep(queries: Queries, oldest: bigint): Promise<bigint> {
  const { rows } = await sql<{ number: number; seq: number }>`
    select number, seq from ${rowsOf('blocks')} where number < ${Number(oldest)} order by number limit ${stepBlocks}`.execute(
    queries,
  )
  const next = rows.length < stepBlocks ? oldest : BigInt(rows.at(-1)?.number ?? oldest)
  const firstSeq = await removeBlocksBefore(queries, next)
  if (firstSeq === undefined) return next
  const kept = await loadBlock(queries, { number: next })
  await pruneVersions(queries, firstSeq, kept?.seq ?? rows.at(-1)?.seq ?? firstSeq)
  for (const table of prunedTables) await queries.deleteFrom(table).where('block_number', '<', Number(next)).execute()
  // Those that last are kept: the invariant does not hold.
  await queries.deleteFrom('invariant_failures').where('recovered_at', '<', Number(next)).execute()
  await removeSnapshotsBefore(queries, next)
  return next
}

/**
 * Deletes versions that a newer one replaced in the changes `[from, to]`: the state after `to` uses the newer one.
 * Earlier versions must have been pruned before.
 */
async function pruneVersions(queries: Queries, from: number, to: number): Promise<void> {
  const replacedSlot = sql<boolean>`(address, slot, seq) in (
    select older.address, older.slot, older.seq from ${rowsOf('slot_versions', 'newer')}
    join ${rowsOf('slot_versions', 'older')}
      on older.address = newer.address and older.slot = newer.slot and older.seq < newer.seq
    where newer.seq between ${from} and ${to})`
  await queries.deleteFrom('slot_versions').where(replacedSlot).execute()
  const replacedAccount = sql<boolean>`(address, seq) in (
    select older.address, older.seq from ${rowsOf('account_versions', 'newer')}
    join ${rowsOf('account_versions', 'older')} on older.address = newer.address and older.seq < newer.seq
    where newer.seq between ${from} and ${to})`
  await queries.deleteFrom('account_versions').where(replacedAccount).execute()
  // Without an earlier version, a version of null means the same as no version.
  await queries
    .deleteFrom('slot_versions')
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .where('value', 'is', null)
    .execute()
  await queries
    .deleteFrom('account_versions')
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .where('balance', 'is', null)
    .where('nonce', 'is', null)
    .where('code_hash', 'is', null)
    .where('storage_seq', 'is', null)
    .execute()
  await queries.deleteFrom('state_causes').where('seq', '<', to).execute()
  await queries.deleteFrom('slot_reverts').where('seq', '<', to).execute()
  await queries.deleteFrom('follows').where('until_seq', '<=', to).execute()
  await queries.deleteFrom('followed_balances').where('until_seq', '<=', to).execute()
  await queries.deleteFrom('override_spans').where('until_seq', '<=', to).execute()
}
