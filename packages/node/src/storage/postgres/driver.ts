import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Pool } from 'pg'
import { isLost, toNetworkError } from './problems.ts'
import { isWrite, Statements } from './statements.ts'
import type { Writer, WriteTransaction } from './writer.ts'

/** Runs reads on any connection of a pool, and transactions on the write connection. */
export class NetworkDriver implements Driver {
  readonly #pool: Pool
  readonly #writer: () => Writer
  readonly #statements = new Statements()

  /** `writer` throws while this process may not write. */
  constructor(pool: Pool, writer: () => Writer) {
    this.#pool = pool
    this.#writer = writer
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Session(this.#pool, this.#writer, this.#statements)
  }

  async beginTransaction(session: Session): Promise<void> {
    await session.begin()
  }

  async commitTransaction(session: Session): Promise<void> {
    await session.commit()
  }

  async rollbackTransaction(session: Session): Promise<void> {
    await session.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class Session implements DatabaseConnection {
  readonly #pool: Pool
  readonly #writer: () => Writer
  readonly #statements: Statements
  #transaction: WriteTransaction | undefined

  constructor(pool: Pool, writer: () => Writer, statements: Statements) {
    this.#pool = pool
    this.#writer = writer
    this.#statements = statements
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      if (this.#transaction) return await this.#transaction.execute(query)
      if (isWrite(query)) throw new Error(`only a transaction may write: ${query.sql}`)
      return await this.#read(query)
    } catch (error) {
      throw toNetworkError(error)
    }
  }

  // biome-ignore lint/correctness/useYield: nothing streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('results are not streamed: read them page by page')
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#writer().begin().catch(rethrow)
  }

  async commit(): Promise<void> {
    await this.#transaction?.commit().catch(rethrow)
  }

  async rollback(): Promise<void> {
    await this.#transaction?.rollback()
  }

  /** Retries a read if the connection was lost, which a pool notices only on use. */
  async #read<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#statements.of(query)
    try {
      return { rows: (await this.#pool.query(statement)).rows }
    } catch (error) {
      if (!isLost(error)) throw error
      return { rows: (await this.#pool.query(statement)).rows }
    }
  }
}

function rethrow(error: unknown): never {
  throw toNetworkError(error)
}
