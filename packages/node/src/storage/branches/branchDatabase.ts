import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  type Transaction,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database, Queries } from '../database.ts'
import type { Engine } from '../migrate.ts'
import type { Tables } from '../schema.ts'
import { type BranchStatement, branchStatement, shapeOf } from './branchStatement.ts'
import type { BranchWrites } from './branchWrites.ts'
import type { Layer } from './layers.ts'

/** A branch in the database of its network. */
export type BranchPlace = {
  number: number
  name: string
  /** Whose rows it reads besides its own, nearest first. They may change. */
  layers: () => readonly Layer[]
}

/** Statements that are kept as text, for each engine and shape of layers: all branches of that shape run the same ones. */
const statementLimit = 500
const shapeLimit = 20
const statements = new LRUCache<string, LRUCache<string, BranchStatement>>({ max: shapeLimit })

/** The rows of a branch, as the database of a network. Its transactions throw `BRANCH_DISK_SPENT`, `BRANCH_CLOSED`. */
export function createBranchDatabase(database: Database, branch: BranchPlace, writes: BranchWrites): Database {
  const statementOf = createStatements(database.engine, branch)
  const { transaction, together = transaction } = database
  return {
    queries: branchQueries(database.queries, statementOf),
    engine: database.engine,
    place: `${database.place}, branch ${branch.name}`,
    async transaction(task) {
      writes.requireRoom(branch.name)
      return together(async (queries) => {
        const ofBranch = branchQueries(queries, statementOf, writes)
        const result = await task(ofBranch)
        await writes.store(ofBranch)
        return result
      })
    },
    // The network fails, and all of its branches with it.
    failed: new Promise(() => {}),
    close: async () => {},
  }
}

/** The rows of a branch in a transaction of its network. */
export const queriesOfBranch = (queries: Queries, engine: Engine, branch: BranchPlace): Queries =>
  branchQueries(queries, createStatements(engine, branch))

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>
type StatementOf = (statement: Statement) => Statement

function createStatements(engine: Engine, { number, layers: currentLayers }: BranchPlace): StatementOf {
  let layers = currentLayers()
  let known = statementsFor(engine, layers)
  return ({ sql, parameters }) => {
    if (layers !== currentLayers()) {
      layers = currentLayers()
      known = statementsFor(engine, layers)
    }
    const statement = known.get(sql) ?? branchStatement(sql, { valueCount: parameters.length, layers, engine })
    known.set(sql, statement)
    return { sql: statement.sql, parameters: statement.bind(parameters, number, layers) }
  }
}

function statementsFor(engine: Engine, layers: readonly Layer[]): LRUCache<string, BranchStatement> {
  const shape = `${engine} ${shapeOf(layers)}`
  const known = statements.get(shape) ?? new LRUCache({ max: statementLimit })
  statements.set(shape, known)
  return known
}

function branchQueries(queries: Queries, statementOf: StatementOf, writes?: BranchWrites): Transaction<Tables> {
  const executor = queries.getExecutor()
  const kysely = new Kysely<Tables>({
    dialect: {
      createDriver: () => new BranchDriver(queries, statementOf, writes),
      // Texts of statements are kept by adapter.
      createAdapter: () => executor.adapter,
      createQueryCompiler: () => ({ compileQuery: (node, id) => executor.compileQuery(node, id) }),
      createIntrospector: () => queries.introspection,
    },
  })
  return kysely as unknown as Transaction<Tables>
}

/** Runs the statements of a branch where those of its network run. */
class BranchDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(queries: Queries, statementOf: StatementOf, writes: BranchWrites | undefined) {
    this.#connection = {
      executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
        writes?.count(query.sql, query.parameters)
        return queries.executeQuery<Row>({ ...query, ...statementOf(query) } as CompiledQuery<Row>)
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
