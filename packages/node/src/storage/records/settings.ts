import type { Queries } from '../database.ts'
import { statementFor } from '../insertRows.ts'
import { runStatement } from '../runStatement.ts'

/** The setting that holds the block clock. */
export const blockClockKey = 'calendar'

/** The setting that holds the mining mode. */
export const miningModeKey = 'mode'

/** The setting that holds what upstream's URLs were found to take and to offer. */
export const upstreamProfilesKey = 'upstreamProfiles'

/** Small values of the network, as JSON by key. */
export async function loadSetting<T>(queries: Queries, key: string): Promise<T | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row && (JSON.parse(row.value) as T)
}

export async function saveSetting(queries: Queries, key: string, value: unknown): Promise<void> {
  // Every block does this, so the statement is built once.
  const text = statementFor(queries, 'saveSetting', () => {
    const insert = queries.insertInto('settings').values({ key, value: '' })
    const update = insert.onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })),
    )
    return update.compile().sql
  })
  await runStatement(queries, text, [key, JSON.stringify(value)])
}
