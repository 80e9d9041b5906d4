import type { Queries } from '../database.ts'
import { insertRows } from '../queries/insertRows.ts'

/** A call that changed the network or tried to, or a refusal by the server. */
export type AuditRecord = {
  /** Milliseconds since 1970. */
  at: number
  /** Identifies the key; `undefined` without keys. */
  key: string | undefined
  method: string
  /** JSON, shortened. */
  params: string
  /** The kind of the error; `undefined` on success. */
  error: string | undefined
}

export type StoredAuditRecord = AuditRecord & { id: number }

/** Adds records, oldest first. */
export async function addAuditEntries(queries: Queries, records: readonly AuditRecord[]): Promise<void> {
  const rows = records.map(({ key, error, ...record }) => ({ ...record, key: key ?? null, error: error ?? null }))
  await insertRows(queries, 'audit_entries', rows)
}

/**
 * Deletes all but the newest `limit` successful entries, and as many failed ones, so that neither displaces the other.
 */
export async function trimAuditEntries(queries: Queries, limit: number): Promise<void> {
  for (const share of ['is', 'is not'] as const) {
    const newestBeyond = await queries
      .selectFrom('audit_entries')
      .select('id')
      .where('error', share, null)
      .orderBy('id', 'desc')
      .offset(limit)
      .limit(1)
      .executeTakeFirst()
    if (newestBeyond)
      await queries.deleteFrom('audit_entries').where('error', share, null).where('id', '<=', newestBeyond.id).execute()
  }
}

/** Newest first; optionally only those before the id `before`, and of one method. */
export async function loadAuditEntries(
  queries: Queries,
  { limit, before, method }: { limit: number; before?: number | undefined; method?: string | undefined },
): Promise<StoredAuditRecord[]> {
  let query = queries.selectFrom('audit_entries').selectAll()
  if (before !== undefined) query = query.where('id', '<', before)
  if (method !== undefined) query = query.where('method', '=', method)
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ key, error, ...row }) => ({ ...row, key: key ?? undefined, error: error ?? undefined }))
}
