import type { Kysely, Transaction } from 'kysely'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { NetworkError } from '../shared/errors.ts'
import type { Engine } from './migrate.ts'
import { openPostgres, openSharedPostgres, type PostgresPlace } from './postgres/openPostgres.ts'
import type { Tables } from './schema.ts'
import { openSqlite } from './sqlite/openSqlite.ts'

export type { PostgresPlace } from './postgres/openPostgres.ts'

/** A connection, or a transaction on it. */
export type Queries = Kysely<Tables> | Transaction<Tables>

export type Database = {
  readonly queries: Kysely<Tables>
  readonly engine: Engine
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

/** A database in which several nodes keep the same network. Only one of them writes; `transaction` throws `NETWORK_TAKEN_OVER` on the others. */
export type SharedDatabase = Omit<Database, 'failed'> & {
  /** For what is no part of the network and needs no permission to write: who writes, and what is cached. */
  readonly aside: Kysely<Tables>
  /** Makes this node the one that writes, whoever did before. Throws `NETWORK_IN_USE` when that one cannot be shut out yet. */
  beginWriting(): Promise<void>
  /** Fails whatever is under way, and all that comes. */
  endWriting(): void
  /** The number of the last transaction that this node began: other nodes count by them. */
  commits(): number
  /** Runs reads that all see the network as it is at one moment. */
  snapshot<T>(task: (queries: Queries) => Promise<T>): Promise<T>
  /** Says when another transaction was committed, as far as the database tells. Returns what ends it. */
  listen(onCommit: () => void): Promise<() => Promise<void>>
}

/** Opens a network that other nodes may have open as well. Throws `DATABASE_UNUSABLE`. */
export function openSharedDatabase(place: PostgresPlace, needs: { clock: Clock }): Promise<SharedDatabase> {
  return openSharedPostgres(place, needs)
}

/**
 * Opens the network of a data directory, or one in PostgreSQL; what is not there is made, and its tables are brought up to date.
 * One process at a time: throws `DATA_DIRECTORY_IN_USE` or `DATA_DIRECTORY_UNUSABLE`, `NETWORK_IN_USE` or `DATABASE_UNUSABLE`.
 */
export function openDatabase(place: string | PostgresPlace, { clock = systemClock } = {}): Promise<Database> {
  return typeof place === 'string' ? openSqlite(place) : openPostgres(place, { clock })
}
