import type { Clock, Timer } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import {
  type AuditRecord,
  addAuditEntries,
  loadAuditEntries,
  type StoredAuditRecord,
  trimAuditEntries,
} from '../storage/records/auditEntries.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { AuditFile } from './auditFile.ts'
import { createRefusals, type Refused } from './refusals.ts'
import { shortJson } from './shortJson.ts'

export type AuditOptions = {
  /** Maximum number of successful entries, and of refused or failed ones; the oldest are deleted first. */
  auditLimit: number
}

type Noted = { key: string | undefined; method: string; params: unknown; error: string | undefined }

/**
 * The log of calls by callers with the role admin. Entries are stored in batches shortly after the calls, so that calls
 * do not wait.
 */
export type AuditLog = {
  /** Resolves when the audit file, if any, has the entry. */
  note(call: Noted): Promise<void> | undefined
  /** Logs a refusal by the server. Refusals of one key are logged together. */
  noteRefusal(refused: Refused): void
  /** Throws `AUDIT_FILE_UNWRITABLE` while the audit file cannot be written. */
  requireWritable(): Promise<void> | undefined
  /** Newest first. */
  load(filter: {
    limit: number
    before?: number | undefined
    method?: string | undefined
  }): Promise<StoredAuditRecord[]>
  /** The methods of successful calls that other nodes logged since the last call of this function. */
  applyRemoteChanges(notice: ChangeNotice): Promise<string[]>
  /** Stores all queued entries. */
  stop(): Promise<void>
}

type Needs = {
  /** The database to store entries in; called each time, because the role of a node can change. */
  database: () => Pick<Database, 'queries' | 'transaction'>
  file: AuditFile | undefined
  clock: Clock
  logger: Logger
}

const delayMs = 200
/** Maximum number of entries of other nodes that are read at once. */
const announcedLimit = 1000

export function createAuditLog({ auditLimit }: AuditOptions, { database, file, clock, logger }: Needs): AuditLog {
  let waiting: AuditRecord[] = []
  let timer: Timer | undefined
  /** The id of the newest entry that was read. */
  let newest: number | undefined
  let storing: Promise<void> = Promise.resolve()
  /** A request may end after its network: only the file notes it then. */
  let isStopped = false
  /** Entries added since the last deletion of old ones. Deletion scans all entries. */
  let untrimmed = auditLimit

  /** Failures to store are logged: the call was answered long before. */
  function store(): Promise<void> {
    timer?.cancel()
    timer = undefined
    const records = waiting
    waiting = []
    if (records.length === 0) return storing
    untrimmed += records.length
    const isTrimmed = untrimmed > auditLimit / 10
    if (isTrimmed) untrimmed = 0
    storing = storing
      .then(() =>
        database().transaction(async (queries) => {
          await addAuditEntries(queries, records)
          if (isTrimmed) await trimAuditEntries(queries, auditLimit)
        }),
      )
      .catch((error) => logger.error({ err: error, entries: records.length }, 'Could not store the audit log'))
    return storing
  }

  function note({ key, method, params, error }: Noted): Promise<void> | undefined {
    const record = { at: clock.now(), key, method, params: shortJson(params), error }
    if (!isStopped) {
      waiting.push(record)
      if (waiting.length >= 1000) void store()
      else timer ??= clock.after(delayMs, store)
    }
    return file
      ?.append(record)
      .catch((error) =>
        logger.error({ err: error }, 'Could not write the audit file: refusing calls of the role admin'),
      )
  }

  const refusals = createRefusals((refused) => void note(refused), { clock })

  return {
    note,
    noteRefusal: refusals.note,
    requireWritable: () => file?.requireWritable(),
    async load(filter) {
      await store()
      return loadAuditEntries(database().queries, filter)
    },
    async applyRemoteChanges({ queries, isChanged }) {
      if (!isChanged('audit_entries')) return []
      const before = newest
      const entries = await loadAuditEntries(queries, { limit: announcedLimit })
      newest = entries[0]?.id ?? 0
      if (before === undefined) return []
      return entries.filter(({ id, error }) => id > before && error === undefined).map(({ method }) => method)
    },
    stop() {
      refusals.stop()
      isStopped = true
      return store()
    },
  }
}
