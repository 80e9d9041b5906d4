import { sql } from 'kysely'
import type { Queries } from '../database.ts'

/** The lease that decides which node of a shared network seals. Only in PostgreSQL. */
export type LeaseRecord = {
  /** Incremented with each takeover. */
  term: number
  /** The id of the node; empty if no node ever held it. */
  holder: string
  /** The URL at which other nodes reach it; `undefined` until it listens. */
  url: string | undefined
  /** The signing secret for calls between nodes. */
  secret: string
  /** How long it remains valid, in milliseconds by the database's clock; negative if it has expired. */
  leftMs: number
}

const now = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

export async function loadLease(queries: Queries): Promise<LeaseRecord> {
  const row = await queries
    .selectFrom('lease')
    .select(['term', 'holder', 'url', 'secret', (lease) => sql<number>`${lease.ref('expires_at')} - ${now}`.as('left')])
    .executeTakeFirstOrThrow()
  const { term, holder, url, secret, left } = row
  return { term, holder, url: url ?? undefined, secret, leftMs: Number(left) }
}

/** Takes an expired lease in one statement, so that only one node gets it. Returns its term. */
export async function takeLease(
  queries: Queries,
  { holder, secret, forMs }: { holder: string; secret: string; forMs: number },
): Promise<number | undefined> {
  const row = await queries
    .updateTable('lease')
    .set((lease) => ({
      term: lease('term', '+', 1),
      holder,
      secret,
      url: null,
      expires_at: sql<number>`${now} + ${forMs}`,
    }))
    .where('expires_at', '<=', now)
    .returning('term')
    .executeTakeFirst()
  return row?.term
}

/** Extends a lease. False if another node has taken it. */
export async function renewLease(
  queries: Queries,
  { term, url, forMs }: { term: number; url: string | undefined; forMs: number },
): Promise<boolean> {
  const row = await queries
    .updateTable('lease')
    .set({ url: url ?? null, expires_at: sql<number>`${now} + ${forMs}` })
    .where('term', '=', term)
    .returning('term')
    .executeTakeFirst()
  return row !== undefined
}

/** Lets another node take over at once. */
export async function giveLeaseUp(queries: Queries, term: number): Promise<void> {
  await queries.updateTable('lease').set({ expires_at: 0, url: null }).where('term', '=', term).execute()
}
