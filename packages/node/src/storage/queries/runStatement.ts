import { CompiledQuery } from 'kysely'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Queries } from '../database.ts'
import { statementFor } from './statementFor.ts'

/** Runs a statement at once and returns its rows; `undefined` if it has to wait for a transaction. */
type RunNow = (sql: string, parameters: readonly unknown[]) => readonly unknown[] | undefined

/** The connections and transactions whose database runs statements without waiting. */
const runners = new WeakMap<Queries, RunNow>()

/** Lets `runStatement` run those of a connection or a transaction at once. */
export function runsNow(queries: Queries, run: RunNow): void {
  runners.set(queries, run)
}

/** How statements run at once, if they do. */
export const runnerOf = (queries: Queries): RunNow | undefined => runners.get(queries)

/**
 * Runs a statement that `statementFor` builds once: at once in SQLite, which does not wait. Kysely takes several promises for
 * each, and a block has some twenty.
 */
export function runStatement<Row>(
  queries: Queries,
  key: string,
  values: readonly unknown[],
  build: () => CompiledQuery,
): MaybePromise<readonly Row[]> {
  const { sql, parameters } = statementFor(queries, key, values, build)
  const rows = runners.get(queries)?.(sql, parameters)
  if (rows) return rows as readonly Row[]
  return queries.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters])).then(({ rows }) => rows)
}
