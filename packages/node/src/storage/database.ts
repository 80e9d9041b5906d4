import type { Kysely, Transaction } from 'kysely'
import { systemClock } from '../shared/clock.ts'
import type { NetworkError } from '../shared/errors.ts'
import { openPostgres, type PostgresPlace } from './postgres/openPostgres.ts'
import type { Tables } from './schema.ts'
import { openSqlite } from './sqlite/openSqlite.ts'

export type { PostgresPlace } from './postgres/openPostgres.ts'

/** A connection, or a transaction on it. */
export type Queries = Kysely<Tables> | Transaction<Tables>

export type Database = {
  readonly queries: Kysely<Tables>
  /** Where it is, without secrets. */
  readonly place: string
  /**
   * Runs `task` in one transaction: it is durable when this resolves, and leaves nothing when it throws. Transactions run one
   * after the other. What `task` writes may be sent only with its next read, or with the commit: counts of written rows are not
   * known, `returning` is.
   */
  transaction<T>(task: (queries: Queries) => Promise<T>): Promise<T>
  /** Resolves with the reason when this process may write no more, and has to end. */
  readonly failed: Promise<NetworkError>
  close(): Promise<void>
}

/**
 * Opens the network of a data directory, or one in PostgreSQL; what is not there is made, and its tables are brought up to date.
 * One process at a time: throws `DATA_DIRECTORY_IN_USE` or `DATA_DIRECTORY_UNUSABLE`, `NETWORK_IN_USE` or `DATABASE_UNUSABLE`.
 */
export function openDatabase(place: string | PostgresPlace, { clock = systemClock } = {}): Promise<Database> {
  return typeof place === 'string' ? openSqlite(place) : openPostgres(place, { clock })
}
