import { CompiledQuery, type Insertable, type Selectable, sql } from 'kysely'
import {
  branchColumns,
  branchRowsOf,
  branchTable,
  columnsOf,
  type Layer,
  type LayerPoint,
  type NetworkNumber,
  rowsOf,
} from '../branches/layers.ts'
import type { Database, Queries } from '../database.ts'
import { statementFor } from '../insertRows.ts'
import type { Tables } from '../schema.ts'

/** A branch, or what is left of a removed one whose rows others read. */
export type BranchRecord = {
  number: NetworkNumber
  /** `undefined` if it was removed. */
  id: string | undefined
  name: string | undefined
  /** 0: the network. */
  parent: NetworkNumber
  /** Where it left its parent. */
  blockNumber: bigint
  /** Whose rows it reads besides its own, nearest first. */
  layers: readonly Layer[]
  /** Milliseconds since 1970. */
  createdAt: number
  expiresAt: number | undefined
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

/** Copies what a branch begins with, of the tables that it does not read from its parent. */
export async function copyRows(queries: Queries, from: NetworkNumber, to: NetworkNumber): Promise<void> {
  for (const name of branchColumns.keys()) if (branchRowsOf(name) === 'copied') await copyTable(queries, name, from, to)
}

async function copyTable(queries: Queries, name: string, from: NetworkNumber, to: NetworkNumber): Promise<void> {
  const isOfBranch = from !== 0
  const text = statementFor(queries, ['copyTable', name, isOfBranch].join(), () => {
    const columns = sql.raw(columnsOf(name))
    const rows = isOfBranch ? sql`${sql.table(branchTable(name))} where branch = ${from}` : sql.table(name)
    return sql`insert into ${sql.table(branchTable(name))} (branch, ${columns}) select ${to}, ${columns} from ${rows}`.compile(
      queries,
    ).sql
  })
  await queries.executeQuery(CompiledQuery.raw(text, isOfBranch ? [to, from] : [to]))
}

/** Copies the rows of changes after a point, and of blocks after it. */
export async function copyRowsAfter(
  queries: Queries,
  from: NetworkNumber,
  to: NetworkNumber,
  { seq, block }: Pick<LayerPoint, 'seq' | 'block'>,
): Promise<void> {
  for (const name of branchColumns.keys()) {
    const rows = branchRowsOf(name)
    if (typeof rows !== 'object') continue
    const isAfter = 'seq' in rows ? `${rows.seq} > ${seq}` : `${rows.block} > ${block}`
    const columns = columnsOf(name)
    const source = `${rowsOf(name, from)} ${from === 0 ? 'where' : 'and'} ${isAfter}`
    await sql
      .raw(`insert into ${branchTable(name)} (branch, ${columns}) select ${to}, ${columns} ${source}`)
      .execute(queries)
  }
}

/** Whether a network has more than `limit` samples of a tracked item. */
export async function hasMoreSamples(
  queries: Queries,
  network: NetworkNumber,
  item: number,
  limit: number,
): Promise<boolean> {
  const source = sql.raw(`${rowsOf('tracked_samples', network)} ${network === 0 ? 'where' : 'and'}`)
  const { rows } = await sql`select 1 ${source} item = ${item} limit 1 offset ${limit}`.execute(queries)
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
  const columns = sql.raw(columnsOf('tracked_samples'))
  const source = sql.raw(rowsOf('tracked_samples', layer.network, layer))
  const having = (branches: readonly NetworkNumber[]) =>
    sql`(select 1 from branch_tracked_items where branch in (${sql.join([-1, ...branches])}) and number = ${item})`
  await sql`insert into branch_tracked_samples (branch, ${columns}) select ${sql.lit(number)}, ${columns} ${source}
    and item = ${item} and exists ${having([number])} and not exists ${having(nearer)}`.execute(queries)
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
  names: string[],
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
  name: string,
  { numbers, limit }: { numbers: readonly NetworkNumber[]; limit: number },
): Promise<number> {
  const table = sql.table(branchTable(name))
  const place = sql.ref(engine === 'postgres' ? 'ctid' : 'rowid')
  const { rows } = await sql`delete from ${table} where ${place} in (
    select ${place} from ${table} where branch in (${sql.join(numbers)}) limit ${limit}) returning branch`.execute(
    queries,
  )
  return rows.length
}

function fromRow(row: Selectable<Tables['branches']>): BranchRecord {
  return {
    number: Number(row.number),
    id: row.id ?? undefined,
    name: row.name ?? undefined,
    parent: row.parent,
    blockNumber: BigInt(row.block_number),
    layers: JSON.parse(row.layers),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
  }
}

function rowFrom(record: Omit<BranchRecord, 'number'>): Omit<Insertable<Tables['branches']>, 'number'> {
  return {
    id: record.id ?? null,
    name: record.name ?? null,
    parent: record.parent,
    block_number: Number(record.blockNumber),
    layers: JSON.stringify(record.layers),
    created_at: record.createdAt,
    expires_at: record.expiresAt ?? null,
  }
}
