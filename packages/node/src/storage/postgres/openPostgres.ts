import { Kysely, PostgresAdapter, PostgresDialect, PostgresIntrospector } from 'kysely'
import pg, { type ClientConfig } from 'pg'
import { maskUrl } from '../../shared/maskUrl.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'
import { TypedQueryCompiler } from './compiler.ts'
import { connectionOptions } from './connectionOptions.ts'
import { NetworkDriver } from './driver.ts'
import { openingProblem } from './problems.ts'
import { Writer } from './writer.ts'

/** A network in a PostgreSQL database: a schema of that name. */
export type PostgresPlace = { url: string; network: string }

/** Connections for reading, at the most. */
const readers = 8

export async function openPostgres({ url, network }: PostgresPlace): Promise<Database> {
  const options = connectionOptions(url, network)
  const writer = new Writer(options, network)
  const pool = new pg.Pool({ ...options, max: readers })
  // A connection that was lost while nobody used it: the next use makes another one.
  pool.on('error', () => {})
  const queries = new Kysely<Tables>({
    dialect: {
      createDriver: () => new NetworkDriver(pool, writer),
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new TypedQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  })
  try {
    await writer.open(() => makeTables(options, network))
  } catch (error) {
    await queries.destroy()
    throw openingProblem(error, url)
  }
  return {
    queries,
    place: `${maskUrl(url)}, network ${network}`,
    transaction: (task) => queries.transaction().execute(task),
    close: () => queries.destroy(),
  }
}

async function makeTables(options: ClientConfig, schema: string): Promise<void> {
  const pool = new pg.Pool({ ...options, max: 1 })
  const queries = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(queries, 'postgres', schema)
  } finally {
    await queries.destroy()
  }
}
