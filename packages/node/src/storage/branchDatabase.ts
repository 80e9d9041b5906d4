import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  type Transaction,
} from 'kysely'
import type { NetworkNumber, NetworkRows, QueryOfNetwork } from './branches/layers.ts'
import { networkCompiler } from './branches/networkCompiler.ts'
import type { BranchWrites } from './branchWrites.ts'
import type { Database, Engine, Queries } from './database.ts'
import { runnerOf, runsNow } from './queries/runStatement.ts'
import { adapterFor } from './queries/statementFor.ts'
import type { Tables } from './schema.ts'

/** A branch in the database of its network. */
export type BranchRows = NetworkRows & {
  name: string
  /** Its changes are not flushed. */
  isEphemeral?: boolean
}

/** The rows of a branch, as the database of a network. Its transactions throw `BRANCH_DISK_LIMIT_EXCEEDED`, `BRANCH_CLOSED`. */
export function createBranchDatabase(database: Database, branch: BranchRows, writes: BranchWrites): Database {
  const { engine, transaction, together = transaction } = database
  return {
    queries: queriesOf(database.queries, engine, branch),
    engine,
    location: `${database.location}, branch ${branch.name}`,
    async transaction(task) {
      writes.requireRoom(branch.name)
      return together(
        async (queries) => {
          const ofBranch = queriesOf(queries, engine, branch, writes)
          const result = await task(ofBranch)
          await writes.store(ofBranch)
          return result
        },
        { isFlushed: !branch.isEphemeral },
      )
    },
    // The network fails, and all of its branches with it.
    failed: new Promise(() => {}),
    close: async () => {},
  }
}

/** The rows of another network of the same database, in the same transaction if it is one. */
export function queriesOf(
  queries: Queries,
  engine: Engine,
  rows: NetworkRows,
  writes?: BranchWrites,
): Transaction<Tables> {
  const { adapter } = queries.getExecutor()
  const kysely = new Kysely<Tables>({
    dialect: {
      createDriver: () => new BranchDriver(queries, rows.number, writes),
      createAdapter: () => adapterFor(adapter, rows),
      createQueryCompiler: () => networkCompiler(engine, rows),
      createIntrospector: () => queries.introspection,
    },
  })
  const ofNetwork = runnerOf(queries)
  if (ofNetwork)
    runsNow(kysely, (sql, parameters) => {
      writes?.count(sql, parameters)
      return ofNetwork(sql, parameters)
    })
  return kysely as unknown as Transaction<Tables>
}

/** Runs the statements of a branch where those of its network run. */
class BranchDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(queries: Queries, network: NetworkNumber, writes: BranchWrites | undefined) {
    this.#connection = {
      executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        writes?.count(query.sql, query.parameters)
        const ofBranch: QueryOfNetwork<Row> = { ...query, network }
        return queries.executeQuery<Row>(ofBranch)
      },
      // biome-ignore lint/correctness/useYield: nothing streams
      async *streamQuery() {
        throw new Error('results are not streamed: read them page by page')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('transactions of a branch are those of its network')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
