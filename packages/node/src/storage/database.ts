import type { Kysely, Transaction } from 'kysely'
import type { NetworkError } from '../shared/errors.ts'
import type { Engine } from './migrate.ts'
import type { Tables } from './schema.ts'

/** A network in a PostgreSQL database: a schema of that name. */
export type PostgresPlace = { url: string; network: string }

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
