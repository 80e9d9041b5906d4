import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The PostgreSQL in which whole-server tests keep their networks; `undefined` when they keep them in directories. */
const url = process.env.UNDERSTUDY_TEST_DATABASE_URL

/** Where the network of one test is kept, when that is a database. */
export type TestPlace = { url: string; network: string }

/** A schema that no other test has; `undefined` without a database. */
export function newTestPlace(): TestPlace | undefined {
  return url === undefined ? undefined : { url, network: `t${randomBytes(8).toString('hex')}` }
}

export async function dropTestPlace({ url, network }: TestPlace): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`drop schema if exists ${network} cascade`)
  await client.end()
}
