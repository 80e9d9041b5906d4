import type { Selectable } from 'kysely'
import { value } from '../bytes.ts'
import type { Queries } from '../database.ts'
import type { Tables } from '../schema.ts'

export type SimulationRecord = {
  id: string
  /** Identifies the key that saved it; `undefined` without keys. */
  owner: string | undefined
  /** Milliseconds since 1970. */
  createdAt: number
  isShared: boolean
  /** JSON. */
  summary: string
  /** JSON, compressed with gzip. */
  content: Uint8Array
}

export type StoredSimulationRecord = SimulationRecord & { number: number }

/** Whose simulations are wanted: those that are shared, and those of a key; `undefined`: all. */
export type Reader = { key: string | undefined } | undefined

/** How many rows one statement looks at when room is made. */
const rowsAtOnce = 200

/** Adds records, oldest first. */
export async function addSimulations(queries: Queries, records: readonly SimulationRecord[]): Promise<void> {
  for (const { owner = null, createdAt, isShared, ...record } of records)
    await queries
      .insertInto('simulations')
      .values({ ...record, owner, created_at: createdAt, is_shared: isShared ? 1 : 0, size: sizeOf(record) })
      .execute()
}

/** What a record takes, in bytes. */
export const sizeOf = ({ summary, content }: Pick<SimulationRecord, 'summary' | 'content'>): number =>
  Buffer.byteLength(summary) + content.length

/** How many there are, and what they take, in bytes. */
export async function measureSimulations(queries: Queries): Promise<{ count: number; size: number }> {
  const { count, size } = await queries
    .selectFrom('simulations')
    .select(({ fn }) => [fn.countAll().as('count'), fn.sum('size').as('size')])
    .executeTakeFirstOrThrow()
  return { count: Number(count), size: Number(size ?? 0) }
}

/** Deletes the oldest that are not shared until so many and so many bytes of them are gone. False if there are too few. */
export async function removeOldest(queries: Queries, wanted: { count: number; size: number }): Promise<boolean> {
  let { count, size } = wanted
  while (count > 0 || size > 0) {
    const oldest = await queries
      .selectFrom('simulations')
      .select(['number', 'size'])
      .where('is_shared', '=', 0)
      .orderBy('number')
      .limit(rowsAtOnce)
      .execute()
    const removed: number[] = []
    for (const row of oldest) {
      if (count <= 0 && size <= 0) break
      removed.push(row.number)
      count--
      size -= row.size
    }
    if (removed.length === 0) return false
    await queries.deleteFrom('simulations').where('number', 'in', removed).execute()
  }
  return true
}

/** Without contents, newest first; only those before the number `before`, without the first `skip` of them. */
export async function listSimulations(
  queries: Queries,
  reader: Reader,
  { limit, before, skip }: { limit: number; before: number | undefined; skip: number },
): Promise<Omit<StoredSimulationRecord, 'content'>[]> {
  let query = queries
    .selectFrom('simulations')
    .select(['number', 'id', 'owner', 'created_at', 'is_shared', 'summary'])
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(skip)
  if (before !== undefined) query = query.where('number', '<', before)
  if (reader) query = query.where(({ or, eb }) => or([eb('is_shared', '=', 1), eb('owner', '=', reader.key ?? null)]))
  return (await query.execute()).map(fromRow)
}

export async function loadSimulation(queries: Queries, id: string): Promise<StoredSimulationRecord | undefined> {
  const row = await queries.selectFrom('simulations').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...fromRow(row), content: value.bytes(row.content) }
}

export async function markShared(queries: Queries, id: string, isShared: boolean): Promise<void> {
  await queries
    .updateTable('simulations')
    .set({ is_shared: isShared ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

function fromRow(row: Omit<Selectable<Tables['simulations']>, 'content' | 'size'>) {
  const { number, id, owner, created_at: createdAt, is_shared: isShared, summary } = row
  return { number, id, owner: owner ?? undefined, createdAt, isShared: isShared === 1, summary }
}
