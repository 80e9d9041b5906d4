import type { Kysely, Transaction } from 'kysely'
import type { NetworkError } from '../shared/errors.ts'
import type { Tables } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

/** A network in a PostgreSQL database: the name of its schema. */
export type PostgresLocation = { url: string; network: string }

/** A connection, or a transaction on it. */
export type Queries = Kysely<Tables> | Transaction<Tables>

export type Database = {
  readonly queries: Kysely<Tables>
  readonly engine: Engine
  /** Its location, without secrets. */
  readonly location: string
  /**
   * Runs `task` in one transaction. It is durable when this resolves; if `task` throws, nothing is stored. Transactions
   * run one at a time. Writes may be sent only with the next read or the commit, so counts of written rows are not
   * available; `returning` is.
   */
  transaction<T>(task: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * As `transaction`, in one that others share that come at the same time: a task that throws is undone alone, and all are
   * durable with one flush of the disk, unless none of them is to be flushed: see `withoutFlush`. Unset where that gains
   * nothing.
   */
  together?<T>(task: (queries: Queries) => Promise<T>, options?: { isFlushed: boolean }): Promise<T>
  /**
   * As `transaction`, for what can be had again, such as a cache: when this resolves it survives the end of the process, and a
   * failure of the machine only once a later transaction is durable. Unset where that gains nothing.
   */
  withoutFlush?<T>(task: (queries: Queries) => Promise<T>): Promise<T>
  /** Set if the stored cache of the live chain's state was damaged while no process had the database open, until it is made anew. */
  hasDamagedCache?: boolean
  /** Resolves with the reason when this process may no longer write and must end. */
  readonly failed: Promise<NetworkError>
  close(): Promise<void>
}

/**
 * A database that several nodes of a network share. Only one of them writes; on the others, `transaction` throws
 * `NETWORK_TAKEN_OVER`.
 */
export type SharedDatabase = Omit<Database, 'failed'> & {
  /** For data outside of the network, which any node may write: the lease and caches. */
  readonly sideConnection: Kysely<Tables>
  /**
   * Makes this node the writer, which the previous one was. Throws `NETWORK_IN_USE` if the previous one cannot be shut
   * out yet.
   */
  beginWriting(): Promise<void>
  /** Fails running and later transactions. */
  endWriting(): void
  /** The number of the last transaction that this node began, which other nodes use as a revision. */
  commits(): number
  /** Runs reads on one snapshot of the network. */
  snapshot<T>(task: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Calls the listener when another transaction was committed, if the database notifies. Returns a function that ends
   * it.
   */
  listen(onCommit: () => void): Promise<() => Promise<void>>
}
