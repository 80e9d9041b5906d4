import type { CompiledQuery, QueryResult } from 'kysely'
import pg, { type Client, type ClientConfig } from 'pg'
import { NetworkError } from '../../shared/errors.ts'
import { lockNetwork, raiseFence } from './networkLock.ts'
import { isLost } from './problems.ts'
import { Statements } from './statements.ts'
import { OpenTransaction } from './transaction.ts'

/** Whoever began one must end it, also when it failed. */
export type WriteTransaction = {
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  commit(): Promise<void>
  /** Does nothing when it has ended. */
  rollback(): Promise<void>
}

/** The one connection that writes, and its transactions, one after the other. It is made anew when it was lost. */
export class Writer {
  readonly #options: ClientConfig
  readonly #schema: string
  readonly #statements = new Statements()
  #client: Client | undefined
  /** `undefined` before `open`. */
  #fence: number | undefined
  #commits = 0
  #last: Promise<void> = Promise.resolve()

  constructor(options: ClientConfig, schema: string) {
    this.#options = { ...options, pipeline: true }
    this.#schema = schema
  }

  /** Locks the network, has its tables made, and begins to write. Throws `NETWORK_IN_USE`. */
  async open(migrate: () => Promise<void>): Promise<void> {
    const client = await this.#connected()
    await migrate()
    this.#fence = await raiseFence(client)
  }

  /** Waits for the transactions before it. */
  async begin(): Promise<WriteTransaction> {
    const before = this.#last
    let release = () => {}
    this.#last = new Promise((resolve) => {
      release = resolve
    })
    await before
    const client = await this.#connected().catch((error) => {
      release()
      throw error
    })
    let hasEnded = false
    const end = (error?: unknown) => {
      hasEnded = true
      if (error !== undefined && isLost(error)) this.#forget(client)
      release()
    }
    const transaction = new OpenTransaction(client, this.#statements, this.#guard())
    return {
      execute: (query) => transaction.execute(query),
      async commit() {
        try {
          await transaction.commit()
          end()
        } catch (error) {
          end(error)
          throw error
        }
      },
      async rollback() {
        if (!hasEnded) await transaction.rollback().then(end, end)
      },
    }
  }

  async close(): Promise<void> {
    await this.#last
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  /** Fails, for `commits` may not be null, when another process raised the fence since. */
  #guard() {
    this.#commits++
    return {
      name: 'guard',
      text: 'update writer set commits = case when fence = $1::bigint then $2::bigint end',
      values: [this.#fence, this.#commits],
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client
    const client = new pg.Client(this.#options)
    client.on('error', () => this.#forget(client))
    try {
      await client.connect()
      if (!(await lockNetwork(client, this.#schema))) throw this.#inUse()
    } catch (error) {
      this.#forget(client)
      throw error
    }
    this.#client = client
    return client
  }

  #inUse(): NetworkError {
    if (this.#fence === undefined) return new NetworkError('NETWORK_IN_USE', { network: this.#schema })
    return new NetworkError('DATABASE_UNAVAILABLE', { problem: 'it has not ended the connection that was lost yet' })
  }

  #forget(client: Client): void {
    if (this.#client === client) this.#client = undefined
    client.end().catch(() => {})
  }
}
