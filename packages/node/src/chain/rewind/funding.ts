import type { Address, StateDiff } from '@understudy/evm'
import { emptyDiff } from '../../state/diff.ts'
import type { State } from '../../state/state.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'

/** Which accounts a network funds, and the balance of each in wei. */
export type Funding = { accounts(): readonly Address[]; balance: bigint }

/** Sets the balances of the funded accounts; upstream's code at these well-known addresses is masked. */
export function fundedDiff({ accounts, balance }: Funding): StateDiff {
  const code = new Uint8Array()
  return { ...emptyDiff(), accounts: new Map(accounts().map((address) => [address, { balance, code }])) }
}

const fundedKey = 'funded'

/** Whether the accounts of a new network were funded, after which it is complete. */
export const isFunded = async (queries: Queries) => Boolean(await loadSetting<Address[]>(queries, fundedKey))

/** For a network that replaces another one, whose state is deleted. */
export const forgetFunding = (queries: Queries) => saveSetting(queries, fundedKey, null)

/** Funds each account once in the lifetime of a network. */
export async function fundOnce(
  { accounts, balance }: Funding,
  { database, state }: { database: Database; state: State },
): Promise<void> {
  const funded = await loadSetting<Address[] | null>(database.queries, fundedKey)
  const fresh = accounts().filter((address) => !funded?.includes(address))
  if (funded && fresh.length === 0) return
  if (fresh.length > 0) await state.write(fundedDiff({ accounts: () => fresh, balance }))
  await database.transaction((transaction) => saveSetting(transaction, fundedKey, [...(funded ?? []), ...fresh]))
}
