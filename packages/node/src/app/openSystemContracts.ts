import type { Address } from '@understudy/evm'
import { loadDeployedSystemContracts, systemContracts } from '../chain/sealing/systemContracts.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { BaseState } from '../upstream/baseState.ts'

type Needs = {
  database: Database
  /** Whether upstream did not answer: then what it answered last is taken. */
  isAway: boolean
  /** Whether this node may store what upstream answers: of several, one does. */
  isStored(): boolean
  logger: Logger
}

const key = 'systemContracts'

/** The protocol's own contracts that exist upstream, as it says, or as it said when it was last asked. */
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
    logger.warn(
      { err: error },
      'Could not ask upstream for the contracts of the protocol; those of the last start are taken',
    )
    return known
  }
}
