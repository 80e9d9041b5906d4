import { sql } from 'kysely'
import { columnsOf, idOf, isOfBranches } from './branches/layers.ts'
import type { Database, Queries } from './database.ts'
import type { TableName } from './schema.ts'
import { allRowsOf, copiedTables, tables } from './tables.ts'

type Row = Record<string, unknown>
/** A copied table, with its columns and its key; the rows of branches are in it. */
type Copied = { name: TableName; columns: readonly string[]; key: readonly string[]; large?: true }

const copied: readonly Copied[] = copiedTables.map((name) => {
  const { copied: key, ...facts }: { copied: readonly string[]; large?: true } = tables[name]
  const branch = isOfBranches(name) ? ['branch'] : []
  const large = facts.large && { large: facts.large }
  return { name, columns: [...branch, ...columnsOf(name)], key: [...branch, ...key], ...large }
})

/** Rows per batch; fewer for tables with sources and code, whose rows may have megabytes. */
const batchRows = 200
const largeBatchRows = 8

/** The number of rows of a network, by table. */
export type RowCounts = ReadonlyMap<string, number>

export async function countRows(queries: Queries): Promise<RowCounts> {
  const counts = new Map<string, number>()
  for (const { name } of copied) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${allRowsOf(name)}`.execute(queries)
    counts.set(name, Number(rows[0]?.total ?? 0))
  }
  return counts
}

export const totalOf = (counts: RowCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

/**
 * Copies every row to empty tables, in one transaction there. `counts` are those of the source, which must not change
 * during the copy. Throws if the counts differ at the end.
 */
export async function copyNetwork(
  from: Database,
  to: Database,
  counts: RowCounts,
  onProgress: (rows: number) => void,
): Promise<void> {
  let done = 0
  await to.transaction(async (transaction) => {
    for (const table of copied) {
      for await (const rows of readBatches(from.queries, table)) {
        await insert(transaction, table, rows)
        done += rows.length
        onProgress(done)
      }
    }
    if (to.engine === 'postgres') await continueNumbers(transaction)
    for (const [table, count] of await countRows(transaction))
      if (count !== counts.get(table))
        throw new Error(`${table} has ${count} rows in the copy, not ${counts.get(table)}`)
  })
}

/** The rows of a table in key order, in batches, so that only one batch is in memory. */
async function* readBatches(queries: Queries, { name: table, key, large }: Copied): AsyncGenerator<Row[]> {
  const limit = large ? largeBatchRows : batchRows
  const columns = sql.join(key.map((name) => sql.ref(name)))
  let after = sql``
  for (;;) {
    const { rows: found } = await sql<Row>`
      select * from ${allRowsOf(table)} ${after} order by ${columns} limit ${limit}`.execute(queries)
    const rows = found.map(asWritten)
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < limit) return
    after = sql`where (${columns}) > (${sql.join(key.map((name) => last[name]))})`
  }
}

async function insert(queries: Queries, { name, columns }: Copied, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  const names = sql.join(columns.map((column) => sql.id(column)))
  await sql`insert into ${allRowsOf(name)} (${names}) values ${sql.join(values)}`.execute(queries)
}

/** A row in the form that drivers take; SQLite's returns blobs as plain buffers. */
const asWritten = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  )

/** Sets PostgreSQL's sequences after the copied ids; SQLite does that itself. */
async function continueNumbers(transaction: Queries): Promise<void> {
  for (const { name } of copied) {
    const id = idOf(name)
    // Ids of rows that differ between branches are numbered by their network.
    if (id === undefined || isOfBranches(name)) continue
    await sql`select setval(pg_get_serial_sequence(${name}, ${id}),
      coalesce((select max(${sql.ref(id)}) from ${allRowsOf(name)}), 0) + 1, false)`.execute(transaction)
  }
}
