import { isNetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { replaceDamagedCache } from '../../storage/records/upstream/damagedCache.ts'
import type { StateStore } from './store.ts'

type Needs = { database: Database; store: StateStore; logger: Logger }

/**
 * Runs what reads or writes the stored cache. When that is damaged it is given up, once: everything in it is upstream's, and
 * no reason for a network not to start.
 */
export function createCacheRepair({ database, store, logger }: Needs): (task: () => Promise<unknown>) => Promise<void> {
  let isReplaced = false
  return async (task) => {
    try {
      await task()
    } catch (error) {
      if (isReplaced || !isNetworkError(error, 'DATA_DIRECTORY_DAMAGED')) throw error
      isReplaced = true
      await database.transaction(replaceDamagedCache)
      store.storeAnew()
      logger.warn({ err: error }, 'Gave up the stored cache of upstream, which is damaged')
    }
  }
}
