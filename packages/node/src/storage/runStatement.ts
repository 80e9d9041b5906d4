import { CompiledQuery } from 'kysely'
import type { Queries } from './database.ts'

/** Runs a statement at once and returns its rows. */
type RunNow = (sql: string, parameters: readonly unknown[]) => readonly unknown[]

/** The transactions whose database runs statements without waiting. */
const transactions = new WeakMap<Queries, RunNow>()

/** Lets `runStatement` run those of a transaction at once. Those of branches become others first, so they go the usual way. */
export function runsNow(transaction: Queries, run: RunNow): void {
  transactions.set(transaction, run)
}

/** Runs a statement that is text already. Kysely takes several promises for each, and a block has some twenty. */
export async function runStatement<Row>(
  queries: Queries,
  sql: string,
  parameters: readonly unknown[],
): Promise<readonly Row[]> {
  const run = transactions.get(queries)
  if (run) return run(sql, parameters) as readonly Row[]
  const { rows } = await queries.executeQuery(CompiledQuery.raw(sql, [...parameters]))
  return rows as Row[]
}
