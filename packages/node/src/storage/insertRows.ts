import { CompiledQuery, type DialectAdapter, type Insertable, type InsertQueryBuilder } from 'kysely'
import type { Queries } from './database.ts'
import type { Tables } from './schema.ts'

/** Rows to a statement at the most. A power of two; far below the databases' limits of bound values. */
const largestChunk = 128

/** Texts of statements that were built, by what they are for; those of one database know nothing of another's. */
const statements = new WeakMap<DialectAdapter, Map<string, string>>()

/**
 * Inserts rows that all have the same columns; `'keep'` leaves a row as it is that is there already.
 *
 * Building a query costs more than running it, and every block comes by here: a statement is built once for each number of
 * rows, and as these are powers of two there are few.
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
    const chunk = rows.slice(start, start + size)
    const text = statementFor(queries, [table, onConflict, size, ...columns].join(), () => {
      const query = queries.insertInto(table).values(chunk) as InsertQueryBuilder<Tables, Name, never>
      return (onConflict === 'keep' ? query.onConflict((conflict) => conflict.doNothing()) : query).compile().sql
    })
    const parameters = chunk.flatMap((row) => columns.map((column) => row[column]))
    await queries.executeQuery(CompiledQuery.raw(text, parameters))
  }
}

function statementFor(queries: Queries, key: string, build: () => string): string {
  const { adapter } = queries.getExecutor()
  const known = statements.get(adapter) ?? new Map<string, string>()
  statements.set(adapter, known)
  const text = known.get(key) ?? build()
  known.set(key, text)
  return text
}
