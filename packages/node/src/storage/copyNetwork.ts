import { sql } from 'kysely'
import { branchColumns, branchTable } from './branches/layers.ts'
import type { Database, Queries } from './database.ts'
import { copiedTables, tables } from './tables.ts'

type Row = Record<string, unknown>
/** A copied table, with its key. */
type Copied = { name: string; key: readonly string[]; numbered?: true; large?: true }

/** The tables of a network, and those with the rows of its branches. */
const copied: readonly Copied[] = [
  ...copiedTables.map((name) => ({ ...tables[name], name, key: tables[name].copied })),
  ...[...branchColumns.keys()].map((name) => {
    const { copied: key, ...facts }: { copied: readonly string[] | false; large?: true } =
      tables[name as keyof typeof tables]
    return { name: branchTable(name), key: ['branch', ...(key || [])], ...(facts.large && { large: facts.large }) }
  }),
]

/** Rows per batch; fewer for tables with sources and code, whose rows may have megabytes. */
const batchRows = 200
const largeBatchRows = 8

/** The number of rows of a network, by table. */
export type RowCounts = ReadonlyMap<string, number>

export async function countRows(queries: Queries): Promise<RowCounts> {
  const counts = new Map<string, number>()
  for (const { name } of copied) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(name)}`.execute(queries)
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
        await transaction
          .insertInto(table.name as 'settings')
          .values(rows as never)
          .execute()
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
      select * from ${sql.table(table)} ${after} order by ${columns} limit ${limit}`.execute(queries)
    const rows = found.map(asWritten)
    const last = rows.at(-1)
    if (last) yield rows
    if (!last || rows.length < limit) return
    after = sql`where (${columns}) > (${sql.join(key.map((name) => last[name]))})`
  }
}

/** A row in the form that drivers take; SQLite's returns blobs as plain buffers. */
const asWritten = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  )

/** Sets PostgreSQL's sequences after the copied ids; SQLite does that itself. */
async function continueNumbers(transaction: Queries): Promise<void> {
  for (const { name: table, key, numbered } of copied) {
    if (!numbered) continue
    const [column = ''] = key
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0) + 1, false)`.execute(transaction)
  }
}
