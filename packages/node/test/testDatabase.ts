import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'

/** The PostgreSQL in which whole-server tests keep their networks; `undefined` when they keep them in directories. */
const url = process.env.NETWORKS_IN_DATABASE || undefined

/** For tests of what only a file has. */
export const isInDatabase = url !== undefined

/** Where the network of one test is kept, when that is a database. */
export type TestLocation = { url: string; network: string }

/** A schema that no other test has; `undefined` without a database. */
export function newTestLocation(): TestLocation | undefined {
  return url === undefined ? undefined : { url, network: `t${randomBytes(8).toString('hex')}` }
}

/** The same, in tests that are only run with a database. */
export function requireTestLocation(): TestLocation {
  const location = newTestLocation()
  if (!location) throw new Error('there is no database: run npm run test:postgres')
  return location
}

export async function dropTestLocation({ url, network }: TestLocation): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`drop schema if exists ${network} cascade`)
  await client.end()
}

/** Drops the schemas of all networks of a deployment, too. */
export async function dropDeployment({ url, network }: TestLocation): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = $1 or nspname like $1 || '\\_%'",
    [network],
  )
  for (const { nspname } of rows) await client.query(`drop schema if exists ${nspname} cascade`)
  await client.end()
}

/** The same for a process that is started in a directory, as options in its environment. */
export function locationOfDirectory(directory: string): Record<string, string> {
  if (url === undefined) return {}
  const network = `t${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
  return { UNDERSTUDY_DATABASE_URL: url, UNDERSTUDY_NETWORK: network }
}
