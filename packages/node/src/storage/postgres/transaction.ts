import type { QueryResult } from 'kysely'
import type { Client, QueryConfig, QueryResult as Result } from 'pg'
import { isOfBranches, type QueryOfNetwork } from '../branches/layers.ts'
import { announcedTables } from '../tables.ts'
import { answersNothing, type Statements, writtenTable } from './statements.ts'

/** Limits for pipelined writes, by number and bytes, before the next one waits. */
const sentLimit = 200
const sentBytesLimit = 4_000_000

/**
 * A transaction that sends writes without waiting for their results, which arrive with the next read or the commit. A
 * block therefore takes about as many round trips as it has reads.
 */
export class OpenTransaction {
  readonly #client: Client
  readonly #statements: Statements
  #sent: Promise<unknown>[] = []
  #sentBytes = 0

  /** The tables that it changed, for nodes that keep rows in memory; rows of branches are only in that of the node that seals. */
  readonly #written = new Set<string>()
  readonly #network: string

  constructor(client: Client, statements: Statements, { network, guard }: { network: string; guard: QueryConfig }) {
    this.#client = client
    this.#statements = statements
    this.#network = network
    void this.#send({ text: 'begin' })
    void this.#send(guard)
  }

  async execute<Row>(query: QueryOfNetwork): Promise<QueryResult<Row>> {
    const table = writtenTable(query)
    if (table !== undefined && !(query.network && isOfBranches(table))) this.#written.add(table)
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
    // The server's answer after an earlier statement has failed.
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

  /** Waits for all sent statements; throws the first error, which caused the later ones. */
  async #settle(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    this.#sentBytes = 0
    await Promise.allSettled(sent)
    await Promise.all(sent)
  }
}

const sizeOf = (value: unknown): number => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0)

/** The last statements of a transaction, which announce it to other nodes with the tables that it changed. */
function* announcementOf(network: string, written: ReadonlySet<string>): Generator<QueryConfig> {
  const tables = announcedTables.filter((table) => written.has(table))
  if (tables.length > 0)
    yield {
      name: 'revisions',
      text: `insert into revisions (name, revision) select unnest($1::text[]), commits from writer
        on conflict (name) do update set revision = excluded.revision`,
      values: [tables],
    }
  // Delivered with the commit.
  yield { name: 'notice', text: "select pg_notify($1, '')", values: [network] }
}
