import type { Clock, Timer } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import type { News } from '../storage/news.ts'
import {
  type AuditRecord,
  addAuditEntries,
  loadAuditEntries,
  type StoredAuditRecord,
} from '../storage/records/auditEntries.ts'
import { shortJson } from './shortJson.ts'

export type AuditOptions = {
  /** The most entries that are kept; the oldest go first. */
  auditLimit: number
}

/** What callers with the role admin did. Entries are stored together, a moment after the calls, so that these need not wait. */
export type AuditLog = {
  note(call: { key: string | undefined; method: string; params: unknown; error: string | undefined }): void
  /** The newest first. */
  load(filter: {
    limit: number
    before?: number | undefined
    method?: string | undefined
  }): Promise<StoredAuditRecord[]>
  /** The methods that other nodes noted since the last time, of those that did something. */
  takeIn(news: News): Promise<string[]>
  /** Stores what is not stored yet. */
  stop(): Promise<void>
}

const delayMs = 200
/** Entries of other nodes that are looked at. */
const newsLimit = 1000

export function createAuditLog(
  { auditLimit }: AuditOptions,
  { database, clock, logger }: { database: Database; clock: Clock; logger: Logger },
): AuditLog {
  let waiting: AuditRecord[] = []
  let timer: Timer | undefined
  /** The id of the newest entry that was taken in. */
  let newest: number | undefined
  let storing: Promise<void> = Promise.resolve()

  /** What cannot be stored is logged: the call itself was answered long ago. */
  function store(): Promise<void> {
    timer?.cancel()
    timer = undefined
    const records = waiting.slice(-auditLimit)
    waiting = []
    if (records.length > 0)
      storing = storing
        .then(() => database.transaction((queries) => addAuditEntries(queries, records, auditLimit)))
        .catch((error) => logger.error({ err: error, entries: records.length }, 'Could not store the audit log'))
    return storing
  }

  return {
    note({ key, method, params, error }) {
      waiting.push({ at: clock.now(), key, method, params: shortJson(params), error })
      if (waiting.length >= 1000) void store()
      else timer ??= clock.after(delayMs, store)
    },
    async load(filter) {
      await store()
      return loadAuditEntries(database.queries, filter)
    },
    async takeIn({ queries, isChanged }) {
      if (!isChanged('audit_entries')) return []
      const before = newest
      const entries = await loadAuditEntries(queries, { limit: newsLimit })
      newest = entries[0]?.id ?? 0
      if (before === undefined) return []
      return entries.filter(({ id, error }) => id > before && error === undefined).map(({ method }) => method)
    },
    stop: store,
  }
}
