import type { Queries } from '../database.ts'

/** The number of transactions that have changed the network. */
export async function loadRevision(queries: Queries): Promise<number> {
  const row = await queries.selectFrom('writer').select('commits').executeTakeFirstOrThrow()
  return row.commits
}

/** The tables that changed after a revision. */
export async function loadChangedTables(queries: Queries, revision: number): Promise<Set<string>> {
  const rows = await queries.selectFrom('revisions').select('name').where('revision', '>', revision).execute()
  return new Set(rows.map(({ name }) => name))
}
