import type { CompiledQuery, QueryResult } from 'kysely'
import pg, { type Client, type ClientConfig } from 'pg'
import { type Clock, pause } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { breakLock, lockNetwork, raiseFence } from './networkLock.ts'
import { isLost, isShutOut } from './problems.ts'
import { Statements } from './statements.ts'
import { OpenTransaction } from './transaction.ts'

/** How long a commit waits to learn its outcome after the connection was lost. */
const timeoutMs = 10_000
const retryMs = 100

/** Always end a transaction, also after an error. */
export type WriteTransaction = {
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  commit(): Promise<void>
  /** Does nothing if it has ended. */
  rollback(): Promise<void>
}

/**
 * The single write connection, with its transactions one at a time. Each transaction stores its own number and fails if
 * another process raised the fence. The process therefore always knows which of its transactions are stored, whatever
 * happens to the connection, and memory never differs from the database.
 */
export class Writer {
  /** Resolves with the reason when this process may no longer write. */
  readonly failed: Promise<NetworkError>
  readonly #options: ClientConfig
  readonly #network: string
  readonly #clock: Clock
  readonly #statements = new Statements()
  #client: Client | undefined
  /** `undefined` before `open`. */
  #fence: number | undefined
  #number = 0
  /** A transaction whose outcome is unknown and was reported as such. */
  #unconfirmed: number | undefined
  #failure: NetworkError | undefined
  #announceFailure: (reason: NetworkError) => void = () => {}
  #last: Promise<void> = Promise.resolve()

  constructor(options: ClientConfig, network: string, clock: Clock) {
    this.#options = { ...options, pipeline: true }
    this.#network = network
    this.#clock = clock
    this.failed = new Promise((resolve) => {
      this.#announceFailure = resolve
    })
  }

  /** The number of the last transaction that was begun. */
  get number(): number {
    return this.#number
  }

  /**
   * Locks the network and shuts out earlier writers. Throws `NETWORK_IN_USE` if another process has the lock, unless
   * `from` is `'any process'`, which takes the lock from that process.
   */
  async open(from?: 'any process'): Promise<void> {
    const client = await this.#connected(from)
    const { fence, commits } = await raiseFence(client)
    this.#fence = fence
    this.#number = commits
  }

  /** Fails running and later transactions. */
  shut(): void {
    this.#fail('NETWORK_TAKEN_OVER')
    if (this.#client) this.#forget(this.#client)
  }

  /** Waits for the transactions before it. */
  async begin(): Promise<WriteTransaction> {
    const end = await this.#turn()
    try {
      return await this.#begin(end)
    } catch (error) {
      end()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#last
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  /** Waits for its turn; returns a function that ends it. */
  async #turn(): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }

  async #begin(end: () => void): Promise<WriteTransaction> {
    if (this.#failure) throw this.#failure
    const client = await this.#connected()
    if (this.#unconfirmed !== undefined) await this.#settleUnconfirmed(client, this.#unconfirmed)
    const number = ++this.#number
    const transaction = new OpenTransaction(client, this.#statements, {
      network: this.#network,
      guard: this.#guard(number),
    })
    let hasEnded = false
    return {
      execute: (query) =>
        transaction.execute<never>(query).catch((error) => {
          throw isShutOut(error) ? this.#fail('NETWORK_TAKEN_OVER') : error
        }),
      commit: async () => {
        try {
          await transaction.commit()
        } catch (error) {
          if (isShutOut(error)) throw this.#fail('NETWORK_TAKEN_OVER')
          if (!isLost(error)) throw error
          this.#forget(client)
          if (!(await this.#wasStored(number))) throw error
        } finally {
          hasEnded = true
          end()
        }
      },
      rollback: async () => {
        if (hasEnded) return
        await transaction.rollback().catch(() => this.#forget(client))
        end()
      },
    }
  }

  /** Fails if the fence has changed, because `commits` may not be null. */
  #guard(number: number) {
    return {
      name: 'guard',
      text: 'update writer set commits = case when fence = $1::bigint then $2::bigint end',
      values: [this.#fence, number],
    }
  }

  /** Whether the transaction that was running when the connection was lost is stored. */
  async #wasStored(number: number): Promise<boolean> {
    const until = this.#clock.now() + timeoutMs
    for (;;) {
      try {
        return (await this.#newest(await this.#connected())) === number
      } catch (error) {
        if (!this.#failure && this.#clock.now() < until) await pause(this.#clock, retryMs)
        else {
          this.#unconfirmed = number
          throw new NetworkError('DATABASE_OUTCOME_UNKNOWN', {}, { cause: error })
        }
      }
    }
  }

  /** The caller assumed that it was not stored: if it was, memory is behind the database. */
  async #settleUnconfirmed(client: Client, number: number): Promise<void> {
    if ((await this.#newest(client)) === number) throw this.#fail('DATABASE_AHEAD')
    this.#unconfirmed = undefined
  }

  /** The number of the latest transaction. Waits for one that the server has not ended. */
  async #newest(client: Client): Promise<number> {
    try {
      await client.query('begin')
      const { rows } = await client.query<{ fence: number; commits: number }>('select * from writer for update')
      await client.query('commit')
      const [row] = rows
      if (row && row.fence === this.#fence) return row.commits
    } catch (error) {
      this.#forget(client)
      throw error
    }
    throw this.#fail('NETWORK_TAKEN_OVER')
  }

  #fail(kind: 'NETWORK_TAKEN_OVER' | 'DATABASE_AHEAD'): NetworkError {
    this.#failure ??= new NetworkError(kind, { network: this.#network })
    this.#announceFailure(this.#failure)
    return this.#failure
  }

  async #connected(from?: 'any process'): Promise<Client> {
    if (this.#client) return this.#client
    const client = new pg.Client(this.#options)
    client.on('error', () => this.#forget(client))
    try {
      await client.connect()
      if (from) await breakLock(client, this.#network)
      if (!(await lockNetwork(client, this.#network))) throw await this.#lockedOut(client)
    } catch (error) {
      this.#forget(client)
      throw error
    }
    this.#client = client
    return client
  }

  async #lockedOut(client: Client): Promise<NetworkError> {
    if (this.#fence === undefined) return new NetworkError('NETWORK_IN_USE', { network: this.#network })
    const { rows } = await client.query<{ fence: number }>('select fence from writer')
    if (rows[0]?.fence !== this.#fence) return this.#fail('NETWORK_TAKEN_OVER')
    return new NetworkError('DATABASE_UNAVAILABLE', { problem: 'it has not ended the lost connection yet' })
  }

  #forget(client: Client): void {
    if (this.#client === client) this.#client = undefined
    client.end().catch(() => {})
  }
}
