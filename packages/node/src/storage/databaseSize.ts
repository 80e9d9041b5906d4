import { sql } from 'kysely'
import type { Database } from './database.ts'

/** What a network takes in its database, in bytes: its file with the cache of the live chain, or its schema. */
export async function loadDatabaseSize({ queries, engine }: Pick<Database, 'queries' | 'engine'>): Promise<number> {
  const size =
    engine === 'sqlite'
      ? sql<{ bytes: number }>`
          select sum(c.page_count * s.page_size) as bytes
          from pragma_database_list d join pragma_page_count(d.name) c join pragma_page_size(d.name) s`
      : sql<{ bytes: number }>`
          select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind = 'r'`
  const { rows } = await size.execute(queries)
  return Number(rows[0]?.bytes ?? 0)
}
