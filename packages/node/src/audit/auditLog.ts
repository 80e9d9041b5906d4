import type { Clock, Timer } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database } from '../storage/database.ts'
import {
  type AuditRecord,
  addAuditEntries,
  loadAuditEntries,
  type StoredAuditRecord,
  trimAuditEntries,
} from '../storage/records/auditEntries.ts'
import type { AuditFile } from './auditFile.ts'
import { createRefusals, type Refused } from './refusals.ts'
import { shortJson } from './shortJson.ts'

export type AuditOptions = {
  /** The most entries that are kept of what was done, and of what was refused or failed; the oldest go first. */
  auditLimit: number
}

type Noted = { key: string | undefined; method: string; params: unknown; error: string | undefined }

/** What callers with the role admin did. Entries are stored together, a moment after the calls, so that these need not wait. */
export type AuditLog = {
  /** Resolves when the audit file has it, where there is one. */
  note(call: Noted): Promise<void> | undefined
  /** What was refused at the door. Many of one key are noted together. */
  noteRefusal(refused: Refused): void
  /** Throws `AUDIT_FILE_FAILED` while the audit file cannot be written. */
  requireWritable(): Promise<void> | undefined
  /** The newest first. */
  load(filter: {
    limit: number
    before?: number | undefined
    method?: string | undefined
  }): Promise<StoredAuditRecord[]>
  /** The methods that other nodes noted since the last time, of those that did something. */
  takeIn(notice: ChangeNotice): Promise<string[]>
  /** Stores what is not stored yet. */
  stop(): Promise<void>
}

type Needs = {
  /** Where entries are stored: asked anew each time, as a node's part may change. */
  database: () => Pick<Database, 'queries' | 'transaction'>
  file: AuditFile | undefined
  clock: Clock
  logger: Logger
}

const delayMs = 200
/** Entries of other nodes that are looked at. */
const announcedLimit = 1000

export function createAuditLog({ auditLimit }: AuditOptions, { database, file, clock, logger }: Needs): AuditLog {
  let waiting: AuditRecord[] = []
  let timer: Timer | undefined
  /** The id of the newest entry that was taken in. */
  let newest: number | undefined
  let storing: Promise<void> = Promise.resolve()
  /** Entries that were added since the oldest were last taken out, which takes as long as there are entries. */
  let untrimmed = auditLimit

  /** What cannot be stored is logged: the call itself was answered long ago. */
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
    waiting.push(record)
    if (waiting.length >= 1000) void store()
    else timer ??= clock.after(delayMs, store)
    return file
      ?.append(record)
      .catch((error) =>
        logger.error({ err: error }, 'Could not write the audit file: calls of the role admin are refused'),
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
    async takeIn({ queries, isChanged }) {
      if (!isChanged('audit_entries')) return []
      const before = newest
      const entries = await loadAuditEntries(queries, { limit: announcedLimit })
      newest = entries[0]?.id ?? 0
      if (before === undefined) return []
      return entries.filter(({ id, error }) => id > before && error === undefined).map(({ method }) => method)
    },
    stop() {
      refusals.stop()
      return store()
    },
  }
}
