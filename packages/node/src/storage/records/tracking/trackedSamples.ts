import type { Word } from '@understudy/evm'
import { sql } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { insertRows } from '../../queries/insertRows.ts'

/** A position in the history: a transaction, or the end of a block. */
export type Position = { block: number; index: number }

/** The index for the end of a block. */
export const endOfBlock = 2 ** 31 - 1

/**
 * A sample of an item from a position on.
 * - `run`: an entry after this transaction and every later one, until the item's next row.
 * - `begin`: one entry here, which no transaction caused, then like `run`.
 * - `stop`: ends a run; no entry.
 * - `point`: one entry.
 */
export type SampleKind = 'run' | 'begin' | 'stop' | 'point'

export type SampleRecord = Position & {
  /** The number of the item. */
  item: number
  /** Milliseconds since 1970. */
  timestamp: number
  kind: SampleKind
  /** Empty for `stop`. */
  value: string
}

/** A transaction after which items were recorded. */
export type TrackedTransaction = Position & { hash: Word; timestamp: number }

/** Rows per statement, below SQLite's limit of bound values. */
const chunkSize = 1000

export async function addSamples(queries: Queries, samples: readonly SampleRecord[]): Promise<void> {
  for (let start = 0; start < samples.length; start += chunkSize)
    await queries
      .insertInto('tracked_samples')
      .values(
        samples.slice(start, start + chunkSize).map(({ item, block, index, timestamp, kind, value }) => ({
          item,
          block_number: block,
          position: index,
          timestamp,
          kind,
          value,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['item', 'block_number', 'position', 'timestamp'])
          .doUpdateSet((excluded) => ({ kind: excluded.ref('excluded.kind'), value: excluded.ref('excluded.value') })),
      )
      .execute()
}

export async function addTrackedTransactions(
  queries: Queries,
  transactions: readonly TrackedTransaction[],
): Promise<void> {
  const rows = transactions.map(({ block, index, hash, timestamp }) => ({
    block_number: block,
    position: index,
    hash: column.hex(hash),
    timestamp,
  }))
  await insertRows(queries, 'tracked_transactions', rows)
}

/** An item's rows, newest first: those before a position, or older than `timestamp` at that position. */
export async function loadSamples(
  queries: Queries,
  item: number,
  { before, limit }: { before: Position & { timestamp?: number }; limit: number },
): Promise<SampleRecord[]> {
  const rows = await queries
    .selectFrom('tracked_samples')
    .selectAll()
    .where('item', '=', item)
    .where(
      sql<boolean>`(block_number, position, timestamp) < (${before.block}, ${before.index}, ${before.timestamp ?? 0})`,
    )
    .orderBy('block_number', 'desc')
    .orderBy('position', 'desc')
    .orderBy('timestamp', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    item,
    block: row.block_number,
    index: row.position,
    timestamp: row.timestamp,
    kind: row.kind as SampleKind,
    value: row.value,
  }))
}

/** Recorded at the end of a block, after it, or by the clock. */
export async function loadTimedSamples(
  queries: Queries,
  block: number,
): Promise<{ item: number; timestamp: number }[]> {
  return queries
    .selectFrom('tracked_samples')
    .select(['item', 'timestamp'])
    .where('block_number', '=', block)
    .where('position', '=', endOfBlock)
    .execute()
}

/** The position of an item's newest row that is older than `timestamp`. */
export async function findSampleBefore(
  queries: Queries,
  item: number,
  timestamp: number,
): Promise<(Position & { timestamp: number }) | undefined> {
  const row = await queries
    .selectFrom('tracked_samples')
    .select(['block_number', 'position', 'timestamp'])
    .where('item', '=', item)
    .where('timestamp', '<', timestamp)
    .orderBy('timestamp', 'desc')
    .orderBy('block_number', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { block: row.block_number, index: row.position, timestamp: row.timestamp }
}

/** Transactions after which items were recorded, newest first. */
export async function loadTrackedTransactions(
  queries: Queries,
  { before, limit }: { before: Position; limit: number },
): Promise<TrackedTransaction[]> {
  const rows = await queries
    .selectFrom('tracked_transactions')
    .selectAll()
    .where(sql<boolean>`(block_number, position) < (${before.block}, ${before.index})`)
    .orderBy('block_number', 'desc')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    block: row.block_number,
    index: row.position,
    hash: value.word(row.hash),
    timestamp: row.timestamp,
  }))
}

/** The position of the first transaction at or after `timestamp`; `undefined` if all are earlier. */
export async function findTrackedTransaction(queries: Queries, timestamp: number): Promise<Position | undefined> {
  const row = await queries
    .selectFrom('tracked_transactions')
    .select(['block_number', 'position'])
    .where('timestamp', '>=', timestamp)
    .orderBy('timestamp')
    .orderBy('block_number')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row && { block: row.block_number, index: row.position }
}

/** Ends an item's run at the end of the latest block. */
export async function endRun(
  queries: Queries,
  item: number,
  { block, timestamp }: { block: number; timestamp: number },
): Promise<void> {
  const position = { block, index: endOfBlock, timestamp }
  const [newest] = await loadSamples(queries, item, { before: { block: block + 1, index: 0 }, limit: 1 })
  if (newest?.kind !== 'run' && newest?.kind !== 'begin') return
  const beganHere = newest.kind === 'begin' && newest.block === block
  await addSamples(queries, [beganHere ? { ...newest, kind: 'point' } : { ...position, item, kind: 'stop', value: '' }])
}

export async function removeSamples(queries: Queries, item: number): Promise<void> {
  await queries.deleteFrom('tracked_samples').where('item', '=', item).execute()
}
