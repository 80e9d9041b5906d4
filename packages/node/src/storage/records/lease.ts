import { sql } from 'kysely'
import type { Queries } from '../database.ts'

/** Who seals the blocks of a network that several nodes share. Only in PostgreSQL. */
export type LeaseRecord = {
  /** Grows each time that another node takes over. */
  term: number
  /** The id of the node; empty when nobody ever held it. */
  holder: string
  /** Where other nodes reach it; `undefined` until it listens. */
  url: string | undefined
  /** What they show there. */
  secret: string
  /** How long it holds, in milliseconds by the database's clock; negative when it ran out. */
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

/** Takes a lease that ran out, in one statement: of several nodes one gets it. Answers its term. */
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

/** Makes a lease last longer. False when another node has taken it. */
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
