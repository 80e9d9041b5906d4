import { LRUCache } from 'lru-cache'

/**
 * A cache of the last `limit` entries that were used. Its memory grows with them: an `LRUCache` with `max` takes that of all
 * of them at once, which each branch would do.
 */
export const createBoundedCache = <Key extends {}, Value extends {}>(limit: number): LRUCache<Key, Value> =>
  new LRUCache({ maxSize: limit, sizeCalculation: () => 1 })
