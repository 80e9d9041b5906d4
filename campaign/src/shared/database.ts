import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A network in a database, as options of the command line. */
export type NetworkLocation = { databaseUrl: string; network: string }

/** A scenario has nothing to run on. */
export class DatabaseMissing extends Error {
  constructor() {
    super('it needs PostgreSQL: give --database-url, or run it by node tooling/withPostgres.mjs')
    this.name = 'DatabaseMissing'
  }
}

/** A schema of its own. Throws `DatabaseMissing`. */
export function requireDatabase(databaseUrl: string): NetworkLocation {
  if (databaseUrl === '') throw new DatabaseMissing()
  return { databaseUrl, network: `c${randomBytes(8).toString('hex')}` }
}

/** Removes a network from its database. */
export async function dropNetwork({ databaseUrl, network }: NetworkLocation): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`drop schema if exists ${network} cascade`)
  await client.end()
}

/** The schemas of a deployment of several networks, sorted. */
export async function schemasOf({ databaseUrl, network }: NetworkLocation): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = $1 or nspname like $1 || '\\_%' order by nspname",
    [network],
  )
  await client.end()
  return rows.map(({ nspname }) => nspname)
}
