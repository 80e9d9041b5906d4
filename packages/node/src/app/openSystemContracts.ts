import type { Address } from '@understudy/evm'
import { loadDeployedSystemContracts, systemContracts } from '../chain/run/systemContracts.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'

type Needs = {
  database: Database
  /** Called when upstream did not answer and the stored list is used. */
  isAway: boolean
  /** Whether this node stores upstream's answer: only one of several nodes does. */
  isStored(): boolean
  logger: Logger
}

const key = 'systemContracts'

/** The system contracts that exist upstream, from upstream or, if it does not answer, from the last start. */
export async function openSystemContracts(
  base: BaseState,
  { database, isAway, isStored, logger }: Needs,
): Promise<Set<Address>> {
  const stored = await loadSetting<Address[]>(database.queries, key)
  const known = new Set(stored ?? systemContracts)
  if (isAway) return known
  try {
    const deployed = await loadDeployedSystemContracts(base)
    const isNew = deployed.size !== stored?.length || stored.some((address) => !deployed.has(address))
    if (isNew && isStored()) await database.transaction((transaction) => saveSetting(transaction, key, [...deployed]))
    return deployed
  } catch (error) {
    if (!stored) throw error
    logger.warn({ err: error }, 'Could not ask upstream for the system contracts; using those of the last start')
    return known
  }
}
