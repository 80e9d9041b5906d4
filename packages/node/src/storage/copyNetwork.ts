import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import { type CopiedTable, copiedTables, tables } from './tables.ts'

type Row = Record<string, unknown>
/** The properties of a copied table. */
type CopiedFacts = { copied: readonly string[]; numbered?: true; large?: true }

/** Rows per batch; fewer for tables with sources and code, whose rows may have megabytes. */
const batchRows = 200
const largeBatchRows = 8

/** The number of rows of a network, by table. */
export type RowCounts = ReadonlyMap<CopiedTable, number>

export async function countRows(queries: Queries): Promise<RowCounts> {
  const counts = new Map<CopiedTable, number>()
  for (const table of copiedTables) {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(queries)
    counts.set(table, Number(rows[0]?.total ?? 0))
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
  let copied = 0
  await to.transaction(async (transaction) => {
    for (const table of copiedTables) {
      for await (const rows of readBatches(from.queries, table)) {
        await transaction
          .insertInto(table)
          .values(rows as never)
          .execute()
        copied += rows.length
        onProgress(copied)
      }
    }
    if (to.engine === 'postgres') await continueNumbers(transaction)
    for (const [table, count] of await countRows(transaction))
      if (count !== counts.get(table))
        throw new Error(`${table} has ${count} rows in the copy, not ${counts.get(table)}`)
  })
}

/** The rows of a table in key order, in batches, so that only one batch is in memory. */
async function* readBatches(queries: Queries, table: CopiedTable): AsyncGenerator<Row[]> {
  const { copied: key, large }: CopiedFacts = tables[table]
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
  for (const table of copiedTables) {
    const { copied, numbered }: CopiedFacts = tables[table]
    if (!numbered) continue
    const [column = ''] = copied
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0) + 1, false)`.execute(transaction)
  }
}
