import { type QueryExecutorProvider, sql } from 'kysely'

/** Rows of a table, and those of one branch in it. */
const rowsOfTable = 2 ** 20
const rowsOfBranch = 2 ** 14
/** Rows with the same values in the first columns after the branch: what SQLite assumes of an index without estimates. */
const rowsOfColumns = [10, 9, 8, 7, 6]
const rowsOfMore = 5

type Index = { table: string; name: string; isUnique: number; first: string; columns: number }

/**
 * Tells SQLite that most rows of a table belong to one network. It assumes by itself that few rows of an index have the
 * same first column, which is the branch: it would read all rows of the network in the order that a query wants, rather
 * than search the one with a hash.
 */
export async function estimateRows(queries: QueryExecutorProvider): Promise<void> {
  // Makes the table of estimates, if there is none.
  await sql`analyze sqlite_schema`.execute(queries)
  const { rows } = await sql<Index>`
    select entry.name as "table", list.name, list."unique" as "isUnique",
      (select info.name from pragma_index_info(list.name) as info where info.seqno = 0) as first,
      (select count(*) from pragma_index_info(list.name)) as columns
    from sqlite_schema as entry join pragma_index_list(entry.name) as list where entry.type = 'table'`.execute(queries)
  await sql`delete from sqlite_stat1`.execute(queries)
  for (const { table, name, isUnique, first, columns } of rows) {
    if (first !== 'branch') continue
    const estimates = Array.from({ length: columns - 1 }, (_, column) => rowsOfColumns[column] ?? rowsOfMore)
    if (isUnique === 1) estimates[columns - 2] = 1
    const stat = [rowsOfTable, rowsOfBranch, ...estimates].join(' ')
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${name}, ${stat})`.execute(queries)
  }
  await sql`analyze sqlite_schema`.execute(queries)
}
