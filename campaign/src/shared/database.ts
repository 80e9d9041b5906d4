import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A network in a database, as options of the command line. */
export type NetworkPlace = { databaseUrl: string; network: string }

/** A scenario has nothing to run on. */
export class DatabaseMissing extends Error {
  constructor() {
    super('it needs PostgreSQL: give --database-url, or run it by node tooling/withPostgres.mjs')
    this.name = 'DatabaseMissing'
  }
}

/** A schema of its own. Throws `DatabaseMissing`. */
export function requireDatabase(databaseUrl: string): NetworkPlace {
  if (databaseUrl === '') throw new DatabaseMissing()
  return { databaseUrl, network: `c${randomBytes(8).toString('hex')}` }
}

/** Removes a network from its database. */
export async function dropNetwork({ databaseUrl, network }: NetworkPlace): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`drop schema if exists ${network} cascade`)
  await client.end()
}
