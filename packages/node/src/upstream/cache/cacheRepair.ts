import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { replaceDamagedCache } from '../../storage/records/upstream/upstreamCache.ts'
import type { StateStore } from './store.ts'

type Needs = { database: Database; store: StateStore; logger: Logger }

/**
 * Runs a read or write of the stored cache. A damaged cache is discarded once: it only has upstream's state, and must
 * not prevent a start.
 */
export function createCacheRepair({ database, store, logger }: Needs): (task: () => Promise<unknown>) => Promise<void> {
  let isReplaced = false
  return async (task) => {
    try {
      if (database.hasDamagedCache)
        throw new NetworkError('DATA_DIRECTORY_DAMAGED', {
          directory: database.location,
          problem: 'pages of the cache',
        })
      await task()
    } catch (error) {
      if (isReplaced || !isNetworkError(error, 'DATA_DIRECTORY_DAMAGED')) throw error
      isReplaced = true
      await database.transaction(replaceDamagedCache)
      database.hasDamagedCache = false
      store.storeAnew()
      logger.warn({ err: error }, 'Discarded the stored upstream cache, which is damaged')
    }
  }
}
