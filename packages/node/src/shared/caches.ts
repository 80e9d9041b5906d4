import { LRUCache } from 'lru-cache'

/**
 * A cache of the last `limit` entries that were used. Its memory grows with them: an `LRUCache` with `max` takes that of all
 * of them at once, which each branch would do. With `load`, `fetch` loads an entry once for all who want it at the same time;
 * a caller that waits for one that is removed before it is there gets what was loaded.
 */
export const createBoundedCache = <Key extends {}, Value extends {}>(
  limit: number,
  { load, sizeOf = () => 1 }: { load?: (key: Key) => Promise<Value>; sizeOf?: (value: Value) => number } = {},
): LRUCache<Key, Value> =>
  new LRUCache({
    maxSize: limit,
    sizeCalculation: sizeOf,
    ignoreFetchAbort: true,
    ...(load && { fetchMethod: load }),
  })

/** A function whose result is computed once per argument object, for the object's lifetime. */
export function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) {
      value = compute(key)
      known.set(key, value)
    }
    return value
  }
}
