import { sql } from 'kysely'
import type { Queries } from '../../database.ts'
import { migrations } from '../../migrations.ts'

const tables = ['upstream_values', 'upstream_codes'] as const

/**
 * Replaces damaged tables of the upstream cache with empty ones. The damaged tables are renamed, because dropping them
 * would need their pages.
 */
export async function replaceDamagedCache(queries: Queries): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(queries)
  const names = new Set(rows.map(({ name }) => name))
  for (const table of tables) {
    let count = 1
    while (names.has(`damaged_${table}_${count}`)) count++
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`damaged_${table}_${count}`)}`.execute(queries)
  }
  for (const statement of migrations['0007_upstream_cache'] ?? []) await sql.raw(statement).execute(queries)
}
