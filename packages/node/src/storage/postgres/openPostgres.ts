import {
  type DatabaseIntrospector,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  type QueryCompiler,
} from 'kysely'
import pg, { type ClientConfig, type Pool, type PoolConfig } from 'pg'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import { maskUrl } from '../../shared/urls.ts'
import { rowsOfNetwork } from '../branches/layers.ts'
import { networkCompiler } from '../branches/networkCompiler.ts'
import type { Database, PostgresLocation, Queries, SharedDatabase } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Tables } from '../schema.ts'
import { connectionOptions } from './connectionOptions.ts'
import { NetworkDriver } from './driver.ts'
import { SchemaIntrospector } from './introspector.ts'
import { listen } from './listen.ts'
import { openingProblem, toNetworkError } from './problems.ts'
import { Writer } from './writer.ts'

/** Maximum number of read connections. */
const readers = 8

/** Opens a network that no other process writes to. Throws `NETWORK_IN_USE`. */
export async function openPostgres(location: PostgresLocation, { clock }: { clock: Clock }): Promise<Database> {
  const writer = new Writer(connectionOptions(location.url, location.network), location.network, clock)
  const { pool: _, ...database } = await open(location, () => writer)
  const close = async () => {
    await writer.close()
    await database.close()
  }
  try {
    await writer.open()
  } catch (error) {
    await close()
    throw openingProblem(error, location.url)
  }
  return { ...database, failed: writer.failed, close }
}

/** Opens a network that other processes may also have open, for reading until `beginWriting`. */
export async function openSharedPostgres(
  location: PostgresLocation,
  { clock }: { clock: Clock },
): Promise<SharedDatabase> {
  const { url, network } = location
  const options = connectionOptions(url, network)
  let writer: Writer | undefined
  const { pool, ...database } = await open(location, () => {
    if (writer) return writer
    throw new NetworkError('NETWORK_TAKEN_OVER', { network })
  })
  const sideConnection = new Kysely<Tables>({ dialect: new PooledDialect({ pool }) })
  return {
    ...database,
    sideConnection,
    async beginWriting() {
      const next = new Writer(options, network, clock)
      try {
        await next.open('any process')
      } catch (error) {
        await next.close()
        throw toNetworkError(error)
      }
      writer = next
    },
    endWriting() {
      writer?.shut()
      writer = undefined
    },
    commits: () => writer?.number ?? 0,
    snapshot: (task) =>
      sideConnection.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(task),
    listen: (onCommit) => listen(options, network, onCommit, clock),
    async close() {
      await writer?.close()
      await database.close()
    },
  }
}

/** Migrates the tables and opens them for reading; `writer` is called for each transaction. */
async function open({ url, network }: PostgresLocation, writer: () => Writer) {
  const options = connectionOptions(url, network)
  try {
    await makeTables(options, network)
  } catch (error) {
    throw openingProblem(error, url)
  }
  const pool = poolOf({ ...options, max: readers })
  const queries = new Kysely<Tables>({
    dialect: {
      createDriver: () => new NetworkDriver(pool, writer),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => networkCompiler('postgres', rowsOfNetwork(0)),
      createIntrospector: (db) => new SchemaIntrospector(db, network),
    },
  })
  return {
    pool,
    queries,
    engine: 'postgres' as const,
    location: `${maskUrl(url)}, network ${network}`,
    transaction: <T>(task: (queries: Queries) => Promise<T>) => queries.transaction().execute(task),
    async close() {
      await queries.destroy()
      await pool.end()
    },
  }
}

/** A connection may be lost during use or while idle; its next use reports the error or opens another. */
function poolOf(options: PoolConfig): Pool {
  const pool = new pg.Pool(options)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Runs every statement, including writes, on any connection of a pool. */
class PooledDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return networkCompiler('postgres', rowsOfNetwork(0))
  }
}

async function makeTables(options: ClientConfig, schema: string): Promise<void> {
  const pool = poolOf({ ...options, max: 1 })
  const queries = new Kysely<Tables>({ dialect: new MigrationDialect({ pool }, schema) })
  try {
    await migrate(queries, 'postgres', schema)
  } finally {
    await queries.destroy()
  }
}

class MigrationDialect extends PostgresDialect {
  readonly #schema: string

  constructor(config: PostgresDialectConfig, schema: string) {
    super(config)
    this.#schema = schema
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SchemaIntrospector(db, this.#schema)
  }
}
