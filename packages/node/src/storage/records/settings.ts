import type { Queries } from '../database.ts'

/** Small values of the network, as JSON by key. */
export async function loadSetting<T>(queries: Queries, key: string): Promise<T | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row && (JSON.parse(row.value) as T)
}

export async function saveSetting(queries: Queries, key: string, value: unknown): Promise<void> {
  const row = { key, value: JSON.stringify(value) }
  await queries
    .insertInto('settings')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value }))
    .execute()
}
