import type { Client } from 'pg'
import pg from 'pg'

/** Distinguishes locks of networks from other locks in the database. */
const lockSpace = 0x756e6473
/** As long as the server may take to notice that a process was killed. */
const timeoutMs = 2_000

/**
 * Locks a network for the lifetime of the connection, so that one process at a time writes to it. False if another one
 * has the lock. The fence in every transaction ensures that the writing process is the one with the lock; see `Writer`.
 */
export async function lockNetwork(client: Client, schema: string): Promise<boolean> {
  try {
    await Promise.all([
      client.query(`set lock_timeout = ${timeoutMs}`),
      client.query('select pg_advisory_lock($1::int4, hashtext($2))', [lockSpace, schema]),
      client.query('reset lock_timeout'),
    ])
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === lockNotAvailable) return false
    throw error
  }
}

const lockNotAvailable = '55P03'

/**
 * Terminates the connection that has the lock, in case its process is cut off or paused. Its open transaction is rolled
 * back.
 */
export async function breakLock(client: Client, schema: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and classid::bigint = $1::bigint and objid::bigint = hashtext($2)::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())`,
    [lockSpace, schema],
  )
}

/** Shuts out every earlier writer: transactions with an older number fail. Returns the last transaction number. */
export async function raiseFence(client: Client): Promise<{ fence: number; commits: number }> {
  const { rows } = await client.query<{ fence: number; commits: number }>(
    'update writer set fence = fence + 1, commits = commits + 1 returning fence, commits',
  )
  const [row] = rows
  if (!row) throw new Error('the table writer has no row')
  return row
}
