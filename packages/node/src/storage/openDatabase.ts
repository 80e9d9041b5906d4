import { type Clock, systemClock } from '../shared/clock.ts'
import type { Database, PostgresPlace, SharedDatabase } from './database.ts'
import { openPostgres, openSharedPostgres } from './postgres/openPostgres.ts'
import { openSqlite } from './sqlite/openSqlite.ts'

/** Opens a network that other nodes may also have open. Throws `DATABASE_UNUSABLE`. */
export function openSharedDatabase(place: PostgresPlace, needs: { clock: Clock }): Promise<SharedDatabase> {
  return openSharedPostgres(place, needs)
}

/**
 * Opens the network of a data directory or of a PostgreSQL database; creates it if necessary and migrates its tables.
 * For one process at a time: throws `DATA_DIRECTORY_IN_USE` or `DATA_DIRECTORY_UNUSABLE`, `NETWORK_IN_USE` or
 * `DATABASE_UNUSABLE`.
 */
export function openDatabase(place: string | PostgresPlace, { clock = systemClock } = {}): Promise<Database> {
  return typeof place === 'string' ? openSqlite(place) : openPostgres(place, { clock })
}
