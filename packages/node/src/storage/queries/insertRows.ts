import { type Insertable, type InsertQueryBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { Queries } from '../database.ts'
import type { Tables } from '../schema.ts'
import { rowsOf } from '../tables.ts'
import { runStatement } from './runStatement.ts'

/** Maximum number of rows per statement: a power of two, far below the databases' limits of bound values. */
const largestChunk = 128

/** Rows that are inserted before others have their turn. The database waits for the end of the transaction; what is in memory does not. */
const rowsAtOnce = 2048

/**
 * Inserts rows with equal columns; `'keep'` leaves existing rows unchanged.
 * Building a query costs more than running it, and every block does this. A statement is therefore built once for each
 * number of rows; these are powers of two, so there are few.
 */
export async function insertRows<Name extends keyof Tables & string>(
  queries: Queries,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
  onConflict: 'fail' | 'keep' = 'fail',
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[Name]>)[]
  for (let start = 0, size = largestChunk; start < rows.length; start += size) {
    while (size > rows.length - start) size /= 2
    if (start > 0 && start % rowsAtOnce === 0) await yieldToEventLoop()
    const chunk = rows.slice(start, start + size)
    const values = chunk.flatMap((row) => columns.map((column) => row[column]))
    await runStatement(queries, [table, onConflict, size, ...columns].join(), values, () => {
      const query = queries.insertInto(table).values(chunk) as InsertQueryBuilder<Tables, Name, never>
      return (onConflict === 'keep' ? query.onConflict((conflict) => conflict.doNothing()) : query).compile()
    })
  }
}

/** A table with a column of numbers. */
export type NumberColumn = readonly [table: keyof Tables & string, column: string]

/** The tables that have rows with a number above `bound`: few have, so that one statement spares many. `key` names their list. */
export async function tablesAbove(
  queries: Queries,
  key: string,
  columns: readonly NumberColumn[],
  bound: number,
): Promise<Set<string>> {
  const values = columns.map(() => bound)
  const rows = await runStatement<{ position: number }>(queries, key, values, () => {
    const parts = columns.map(
      ([table, column], position) =>
        sql`select ${sql.lit(position)} as position where exists (select 1 from ${rowsOf(table)} where ${sql.ref(column)} > ${bound})`,
    )
    return sql`${sql.join(parts, sql` union all `)}`.compile(queries)
  })
  return new Set(rows.flatMap(({ position }) => columns[position]?.[0] ?? []))
}

/** Deletes the rows with a number above `bound` in a column. A revert does this for most tables, so statements are built once. */
export async function deleteAbove<Name extends keyof Tables & string>(
  queries: Queries,
  table: Name,
  column: keyof Tables[Name] & string,
  bound: number,
): Promise<void> {
  await runStatement(queries, ['deleteAbove', table, column].join(), [bound], () =>
    queries
      .deleteFrom(table as 'blocks')
      .where(sql<boolean>`${sql.ref(column)} > ${bound}`)
      .compile(),
  )
}
