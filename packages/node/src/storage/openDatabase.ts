import { type Clock, systemClock } from '../shared/clock.ts'
import type { Database, PostgresLocation, SharedDatabase } from './database.ts'
import { openSqlite } from './sqlite/openSqlite.ts'

/** Loaded on demand: most networks are in a data directory. */
const postgres = () => import('./postgres/openPostgres.ts')

/** Opens a network that other nodes may also have open. Throws `DATABASE_UNUSABLE`. */
export async function openSharedDatabase(location: PostgresLocation, needs: { clock: Clock }): Promise<SharedDatabase> {
  const { openSharedPostgres } = await postgres()
  return openSharedPostgres(location, needs)
}

/**
 * Opens the network of a data directory or of a PostgreSQL database; creates it if necessary and migrates its tables.
 * For one process at a time: throws `DATA_DIRECTORY_IN_USE` or `DATA_DIRECTORY_UNUSABLE`, `NETWORK_IN_USE` or
 * `DATABASE_UNUSABLE`.
 */
export async function openDatabase(
  location: string | PostgresLocation,
  { clock = systemClock } = {},
): Promise<Database> {
  if (typeof location === 'string') return openSqlite(location, clock)
  const { openPostgres } = await postgres()
  return openPostgres(location, { clock })
}
