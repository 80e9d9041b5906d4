import { randomBytes } from 'node:crypto'
import type { Hex } from '@understudy/evm'
import { zeroWord } from '../../ethereum/constants.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { Queries } from '../database.ts'
import { runStatement } from '../queries/runStatement.ts'

/** The setting that holds the block clock. */
export const blockClockKey = 'blockClock'

/** The setting that holds the mining mode. */
export const miningModeKey = 'mode'

/** The setting that holds what upstream's URLs were found to take and to offer. */
export const upstreamProfilesKey = 'upstreamProfiles'

/** Small values of the network, as JSON by key. */
export async function loadSetting<T>(queries: Queries, key: string): Promise<T | undefined> {
  const [row] = await runStatement<{ value: string }>(queries, 'loadSetting', [key], () =>
    queries.selectFrom('settings').select('value').where('key', '=', key).compile(),
  )
  return row && (JSON.parse(row.value) as T)
}

export async function saveSetting(queries: Queries, key: string, value: unknown): Promise<void> {
  await saveSettings(queries, { [key]: value })
}

/** Stores several values with one statement. */
export async function saveSettings(queries: Queries, values: Record<string, unknown>): Promise<void> {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
  const bound = rows.flatMap(({ key, value }) => [key, value])
  // Every block does this, so the statement is built once.
  await runStatement(queries, `saveSettings ${rows.length}`, bound, () => {
    const insert = queries.insertInto('settings').values(rows)
    const update = insert.onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({ value: ref('excluded.value') })),
    )
    return update.compile()
  })
}

const instanceIdKey = 'instanceId'

/** The name of a chain, from its beginning to its next reset: tools store what they deployed under it. */
export async function loadInstanceId(queries: Queries): Promise<Hex> {
  return (await loadSetting<Hex>(queries, instanceIdKey)) ?? zeroWord
}

/** Gives the chain that begins a name of its own. */
export const renewInstanceId = (queries: Queries) => saveSetting(queries, instanceIdKey, hexFromBytes(randomBytes(32)))
