import { CompiledQuery, type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  branchTables,
  columnsOf,
  copiedToBranches,
  type Layer,
  type LayerPoint,
  layerColumnsOf,
  type NetworkNumber,
  type QueryOfNetwork,
} from '../branches/layers.ts'
import type { Database, Queries } from '../database.ts'
import { runStatement } from '../queries/runStatement.ts'
import { statementFor } from '../queries/statementFor.ts'
import type { TableName, Tables } from '../schema.ts'
import { allRowsOf } from '../tables.ts'

/** A branch, or what is left of a removed one whose rows others read. */
export type BranchRecord = {
  number: NetworkNumber
  /** `undefined` if it was removed. */
  id: string | undefined
  name: string | undefined
  /** A name for people. */
  label: string | undefined
  /** 0: the network. */
  parent: NetworkNumber
  /** Where it left its parent. */
  blockNumber: bigint
  /** Whose rows it reads besides its own, nearest first. */
  layers: readonly Layer[]
  /** Milliseconds since 1970. */
  createdAt: number
  expiresAt: number | undefined
  /** It is removed when the process has ended, and its changes are not flushed. */
  isEphemeral: boolean
}

export async function loadBranches(queries: Queries): Promise<BranchRecord[]> {
  const rows = await queries.selectFrom('branches').selectAll().orderBy('number').execute()
  return rows.map(fromRow)
}

/** Returns its number. */
export async function addBranch(queries: Queries, record: Omit<BranchRecord, 'number'>): Promise<NetworkNumber> {
  const row = await queries.insertInto('branches').values(rowFrom(record)).returning('number').executeTakeFirstOrThrow()
  return Number(row.number)
}

export async function saveBranch(queries: Queries, { number, ...record }: BranchRecord): Promise<void> {
  await queries.updateTable('branches').set(rowFrom(record)).where('number', '=', number).execute()
}

/** Runs a statement that writes rows of a branch, which nodes that only read do not have in memory. */
function runFor(network: NetworkNumber, queries: Queries, query: CompiledQuery) {
  const ofBranch: QueryOfNetwork = { ...query, network }
  return queries.executeQuery(ofBranch)
}

/** Copies what a branch begins with, of the tables that it does not read from its parent. */
export async function copyRows(queries: Queries, from: NetworkNumber, to: NetworkNumber): Promise<void> {
  for (const name of await tablesWithRows(queries, from)) {
    const { sql: text, parameters } = statementFor(queries, `copyRows ${name}`, [to, from], () =>
      copied(name, to, sql`branch = ${from}`).compile(queries),
    )
    await runFor(to, queries, CompiledQuery.raw(text, [...parameters]))
  }
}

/** The tables that branches copy, and of which a network has rows: mostly a few. */
async function tablesWithRows(queries: Queries, network: NetworkNumber): Promise<TableName[]> {
  const values = copiedToBranches.map(() => network)
  const rows = await runStatement<{ name: TableName }>(queries, 'tablesWithRows', values, () => {
    const each = copiedToBranches.map(
      (name) =>
        sql`select ${sql.lit(name)} as name where exists (select 1 from ${allRowsOf(name)} where branch = ${network})`,
    )
    return sql.join(each, sql` union all `).compile(queries)
  })
  return rows.map(({ name }) => name)
}

/** Copies rows of a table to a network. */
function copied(name: TableName, to: NetworkNumber, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const columns = sql.join(columnsOf(name).map((column) => sql.id(column)))
  return sql`insert into ${allRowsOf(name)} (branch, ${columns})
    select ${to}, ${columns} from ${allRowsOf(name)} where ${condition}`
}

/** Copies the rows of changes after a point, and of blocks after it. */
export async function copyRowsAfter(
  queries: Queries,
  from: NetworkNumber,
  to: NetworkNumber,
  { seq, block }: Pick<LayerPoint, 'seq' | 'block'>,
): Promise<void> {
  for (const name of branchTables) {
    const [end] = layerColumnsOf(name)
    if (!end) continue
    const [field, column] = end
    const after = sql`branch = ${from} and ${sql.id(column)} > ${field === 'seq' ? seq : block}`
    await runFor(to, queries, copied(name, to, after).compile(queries))
  }
}

const samplesOf = (network: NetworkNumber, item: number) => sql`branch = ${network} and item = ${item}`

/** Whether a network has more than `limit` samples of a tracked item. */
export async function hasMoreSamples(
  queries: Queries,
  network: NetworkNumber,
  item: number,
  limit: number,
): Promise<boolean> {
  const samples = sql`select 1 from ${allRowsOf('tracked_samples')} where ${samplesOf(network, item)}`
  const { rows } = await sql`${samples} limit 1 offset ${limit}`.execute(queries)
  return rows.length > 0
}

/**
 * Copies what a branch reads of the samples of another network, if it has the tracked item and none of the `nearer`
 * networks has it.
 */
export async function copySamples(
  queries: Queries,
  layer: Layer,
  { number, nearer }: { number: NetworkNumber; nearer: readonly NetworkNumber[] },
  item: number,
): Promise<void> {
  const ends = layerColumnsOf('tracked_samples').map(([field, column]) => sql`${sql.id(column)} <= ${layer[field]}`)
  const has = (branches: readonly NetworkNumber[]) =>
    sql`exists (select 1 from ${allRowsOf('tracked_items')} where branch in (${sql.join([-1, ...branches])}) and number = ${item})`
  const condition = [samplesOf(layer.network, item), ...ends, has([number]), sql`not ${has(nearer)}`]
  await runFor(number, queries, copied('tracked_samples', number, sql.join(condition, sql` and `)).compile(queries))
}

/** Rows that are deleted before others have their turn. */
const removedAtOnce = 2000

/**
 * Deletes rows of networks that no branch reads, and then their records.
 * @param names - The tables that may have rows; those that have none are taken out.
 */
export async function removeSomeRows(
  queries: Queries,
  engine: Database['engine'],
  names: TableName[],
  numbers: readonly NetworkNumber[],
): Promise<void> {
  for (let left = removedAtOnce; left > 0; ) {
    const [name] = names
    if (name === undefined) {
      await queries.deleteFrom('branches').where('number', 'in', numbers).execute()
      return
    }
    left -= await removeRows(queries, engine, name, { numbers, limit: left })
    if (left > 0) names.shift()
  }
}

/** Returns how many were deleted. */
async function removeRows(
  queries: Queries,
  engine: Database['engine'],
  name: TableName,
  { numbers, limit }: { numbers: readonly NetworkNumber[]; limit: number },
): Promise<number> {
  const table = allRowsOf(name)
  const rowId = sql.ref(engine === 'postgres' ? 'ctid' : 'rowid')
  const removal = sql`delete from ${table} where ${rowId} in (
    select ${rowId} from ${table} where branch in (${sql.join(numbers)}) limit ${limit}) returning branch`
  const { rows } = await runFor(numbers[0] ?? 0, queries, removal.compile(queries))
  return rows.length
}

function fromRow(row: Selectable<Tables['branches']>): BranchRecord {
  return {
    number: Number(row.number),
    id: row.id ?? undefined,
    name: row.name ?? undefined,
    label: row.label ?? undefined,
    parent: row.parent,
    blockNumber: BigInt(row.block_number),
    layers: JSON.parse(row.layers),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    isEphemeral: row.is_ephemeral === 1,
  }
}

function rowFrom(record: Omit<BranchRecord, 'number'>): Omit<Insertable<Tables['branches']>, 'number'> {
  return {
    id: record.id ?? null,
    name: record.name ?? null,
    label: record.label ?? null,
    parent: record.parent,
    block_number: Number(record.blockNumber),
    layers: JSON.stringify(record.layers),
    created_at: record.createdAt,
    expires_at: record.expiresAt ?? null,
    is_ephemeral: Number(record.isEphemeral),
  }
}
