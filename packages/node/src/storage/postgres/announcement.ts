import type { QueryConfig } from 'pg'
import { announcedTables } from '../tables.ts'

/** The last statements of a transaction, which announce it to other nodes with the tables that it changed. */
export function* announcementOf(network: string, written: ReadonlySet<string>): Generator<QueryConfig> {
  const tables = announcedTables.filter((table) => written.has(table))
  if (tables.length > 0)
    yield {
      name: 'revisions',
      text: `insert into revisions (name, revision) select unnest($1::text[]), commits from writer
        on conflict (name) do update set revision = excluded.revision`,
      values: [tables],
    }
  // Delivered with the commit.
  yield { name: 'notice', text: "select pg_notify($1, '')", values: [network] }
}
