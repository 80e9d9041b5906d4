import type { Address, StateDiff } from '@understudy/evm'
import { emptyDiff } from '../../state/diff.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'

/** Sets the balances of the funded accounts; upstream's code at these well-known addresses is masked. */
export function fundedDiff(accounts: readonly Address[], balance: bigint): StateDiff {
  const code = new Uint8Array()
  return { ...emptyDiff(), accounts: new Map(accounts.map((address) => [address, { balance, code }])) }
}

/** Funds each account, in wei, once in the lifetime of a network. */
export async function fundOnce(
  accounts: readonly Address[],
  balance: bigint,
  { database, state }: { database: Database; state: State },
): Promise<void> {
  const funded = (await loadSetting<Address[]>(database.queries, 'funded')) ?? []
  const fresh = accounts.filter((address) => !funded.includes(address))
  if (fresh.length === 0) return
  await state.write(fundedDiff(fresh, balance))
  await database.transaction((transaction) => saveSetting(transaction, 'funded', [...funded, ...fresh]))
}
