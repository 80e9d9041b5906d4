import { sql } from 'kysely'
import type { Database, Queries } from './database.ts'
import { type CopiedTable, copiedTables, tables } from './tables.ts'

type Row = Record<string, unknown>
/** What `tables` says of a copied table, whichever it is. */
type CopiedFacts = { copied: readonly string[]; numbered?: true; large?: true }

/** Rows that are read and written at a time; of tables with sources and code, which may have megabytes in a row, fewer. */
const batchRows = 200
const largeBatchRows = 8

/** How many rows a network has, by table. */
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
 * Copies every row into a place whose tables are empty, in one transaction there. `counts` are those of the source, which
 * nothing may change meanwhile; throws when the target has others in the end.
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

/** The rows of a table by its key, in batches: as much memory as one of them. */
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

/** A row as drivers take it: SQLite's hands blobs out as bare buffers. */
const asWritten = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof ArrayBuffer ? new Uint8Array(value) : value]),
  )

/** Lets PostgreSQL go on after the numbers that were copied; SQLite does that by itself. */
async function continueNumbers(transaction: Queries): Promise<void> {
  for (const table of copiedTables) {
    const { copied, numbered }: CopiedFacts = tables[table]
    if (!numbered) continue
    const [column = ''] = copied
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      coalesce((select max(${sql.ref(column)}) from ${sql.table(table)}), 0) + 1, false)`.execute(transaction)
  }
}
