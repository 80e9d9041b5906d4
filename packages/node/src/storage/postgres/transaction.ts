import type { CompiledQuery, QueryResult } from 'kysely'
import type { Client, QueryConfig, QueryResult as Result } from 'pg'
import { announcementOf } from './announcement.ts'
import { answersNothing, type Statements, writtenTable } from './statements.ts'

/** Writes that are on their way at the most before the next one waits, and the bytes in them. */
const sentLimit = 200
const sentBytesLimit = 4_000_000

/**
 * A transaction whose writes are sent without waiting for the answers: they come with the next read, or with the commit. So a
 * block costs about as many round trips as it has reads.
 */
export class OpenTransaction {
  readonly #client: Client
  readonly #statements: Statements
  #sent: Promise<unknown>[] = []
  #sentBytes = 0

  /** What it changed, for those who keep rows in memory. */
  readonly #written = new Set<string>()
  readonly #network: string

  constructor(client: Client, statements: Statements, { network, guard }: { network: string; guard: QueryConfig }) {
    this.#client = client
    this.#statements = statements
    this.#network = network
    void this.#send({ text: 'begin' })
    void this.#send(guard)
  }

  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const table = writtenTable(query)
    if (table !== undefined) this.#written.add(table)
    const result = this.#send(this.#statements.of(query))
    if (answersNothing(query)) {
      this.#sentBytes += query.parameters.reduce<number>((sum, value) => sum + sizeOf(value), 0)
      if (this.#sent.length > sentLimit || this.#sentBytes > sentBytesLimit) await this.#settle()
      return { rows: [] }
    }
    await this.#settle()
    return { rows: (await result).rows }
  }

  async commit(): Promise<void> {
    for (const query of announcementOf(this.#network, this.#written)) void this.#send(query)
    const committed = this.#send({ text: 'commit' })
    await this.#settle()
    // What the server answers to it when a statement before had failed.
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  async rollback(): Promise<void> {
    this.#sent = []
    await this.#send({ text: 'rollback' })
  }

  #send(query: QueryConfig): Promise<Result> {
    const result = this.#client.query(query)
    result.catch(() => {})
    this.#sent.push(result)
    return result
  }

  /** Waits for everything that was sent; throws what failed first, which made the others fail. */
  async #settle(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    this.#sentBytes = 0
    await Promise.allSettled(sent)
    await Promise.all(sent)
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)
