import { type DatabaseIntrospector, Kysely, PostgresAdapter, PostgresDialect, type PostgresDialectConfig } from 'kysely'
import pg, { type ClientConfig } from 'pg'
import type { Clock } from '../../shared/clock.ts'
import { maskUrl } from '../../shared/maskUrl.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'
import { TypedQueryCompiler } from './compiler.ts'
import { connectionOptions } from './connectionOptions.ts'
import { NetworkDriver } from './driver.ts'
import { SchemaIntrospector } from './introspector.ts'
import { openingProblem } from './problems.ts'
import { Writer } from './writer.ts'

/** A network in a PostgreSQL database: a schema of that name. */
export type PostgresPlace = { url: string; network: string }

/** Connections for reading, at the most. */
const readers = 8

export async function openPostgres({ url, network }: PostgresPlace, { clock }: { clock: Clock }): Promise<Database> {
  const options = connectionOptions(url, network)
  const writer = new Writer(options, network, clock)
  const pool = new pg.Pool({ ...options, max: readers })
  // A connection that was lost while nobody used it: the next use makes another one.
  pool.on('error', () => {})
  const queries = new Kysely<Tables>({
    dialect: {
      createDriver: () => new NetworkDriver(pool, writer),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new TypedQueryCompiler(),
      createIntrospector: (db) => new SchemaIntrospector(db, network),
    },
  })
  const close = async () => {
    await queries.destroy()
    await writer.close()
    await pool.end()
  }
  try {
    await writer.open(() => makeTables(options, network))
  } catch (error) {
    await close()
    throw openingProblem(error, url)
  }
  return {
    queries,
    place: `${maskUrl(url)}, network ${network}`,
    transaction: (task) => queries.transaction().execute(task),
    failed: writer.failed,
    close,
  }
}

async function makeTables(options: ClientConfig, schema: string): Promise<void> {
  const pool = new pg.Pool({ ...options, max: 1 })
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
