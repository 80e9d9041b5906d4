import { Shares } from '../../shared/budget/shares.ts'
import type { Clock, Timer } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { LogQuery } from '../codecs/logFilter.ts'
import type { Start } from './subscriptions.ts'

export type FilterOptions = {
  /** Maximum number of filters. */
  filterLimit: number
  /** Unused filters expire after this many seconds. */
  filterLifetime: number
  /** Set if there are several keys: each has a share of the filters. */
  apiKeys?: readonly unknown[]
}

/** Filters of clients that poll for changes. They live in memory until they expire. */
export type Filters = {
  /** Returns the id. `key` owns the filter; `query` is the query of a log filter. Throws `LIMIT_EXCEEDED`. */
  add(start: Start, filter?: { key?: string | undefined; query?: LogQuery }): string
  /** Changes since the last poll, oldest first. Throws `FILTER_NOT_FOUND`. */
  take(id: string): unknown[]
  /** `undefined` if it is not a log filter. Throws `FILTER_NOT_FOUND`. */
  query(id: string): LogQuery | undefined
  /** False if there is no such filter. */
  remove(id: string): boolean
  count(): number
  /** Deletes all, and ends its timer. */
  stop(): void
}

/** Maximum number of changes that a filter stores; a filter that misses more is deleted. */
export const changesLimit = 10_000

type Filter = { key: string; query: LogQuery | undefined; changes: unknown[]; usedAt: number; stop: () => void }

export function createFilters(
  { filterLimit, filterLifetime, apiKeys = [] }: FilterOptions,
  { clock, createId }: { clock: Clock; createId: () => string },
): Filters {
  const lifetimeMs = filterLifetime * 1000
  /** Ordered by last use, least recent first. */
  const filters = new Map<string, Filter>()
  const shares = new Shares(filterLimit, { isShared: apiKeys.length > 1 })
  let timer: Timer | undefined
  let isStopped = false

  function use(id: string): Filter {
    const filter = filters.get(id)
    if (!filter) throw new NetworkError('FILTER_NOT_FOUND', { id: id.slice(0, 100) })
    filters.delete(id)
    filters.set(id, filter)
    filter.usedAt = clock.now()
    return filter
  }

  function remove(id: string): boolean {
    const filter = filters.get(id)
    if (!filter) return false
    filter.stop()
    shares.give(filter.key, 1)
    return filters.delete(id)
  }

  function schedule(delayMs: number): void {
    timer = clock.after(delayMs, sweep)
  }

  /** Deletes expired filters and schedules the next check. */
  function sweep(): void {
    timer = undefined
    for (const [id, { usedAt }] of filters) {
      const leftMs = usedAt + lifetimeMs - clock.now()
      if (leftMs > 0) {
        schedule(leftMs)
        break
      }
      remove(id)
    }
  }

  return {
    add(start, { key = 'everybody', query } = {}) {
      if (!shares.take(key, 1))
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: 'filters in use; a key may have as many as it leaves free (--filter-limit)',
          limit: filterLimit,
        })
      const id = createId()
      const filter: Filter = { key, query, changes: [], usedAt: clock.now(), stop: () => {} }
      filters.set(id, filter)
      filter.stop = start((change) => {
        if (filter.changes.push(change) > changesLimit) remove(id)
      })
      if (!timer && !isStopped) schedule(lifetimeMs)
      return id
    },
    take(id) {
      const filter = use(id)
      const { changes } = filter
      filter.changes = []
      return changes
    },
    query: (id) => use(id).query,
    remove,
    count: () => filters.size,
    stop() {
      isStopped = true
      timer?.cancel()
      for (const id of filters.keys()) remove(id)
    },
  }
}
