import type { Client } from 'pg'
import pg from 'pg'

/** Tells locks of networks from others in the same database. */
const lockSpace = 0x756e6473
/** As long as a process that was killed may take to be gone for the server. */
const timeoutMs = 2_000

/**
 * Locks a network for as long as the connection lives: one process at a time writes to it. False when another one has it.
 * That the process which writes is the one that locked it is seen to by the fence in every transaction; see `Writer`.
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

/** Ends the connection that has the lock, when its process is cut off or stands still. What it was writing is undone. */
export async function breakLock(client: Client, schema: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
       and classid::bigint = $1::bigint and objid::bigint = hashtext($2)::bigint & 4294967295
       and database = (select oid from pg_database where datname = current_database())`,
    [lockSpace, schema],
  )
}

/** Shuts out every process that wrote before: whose transactions carry an older number fail. Answers where it left off. */
export async function raiseFence(client: Client): Promise<{ fence: number; commits: number }> {
  const { rows } = await client.query<{ fence: number; commits: number }>(
    'update writer set fence = fence + 1, commits = commits + 1 returning fence, commits',
  )
  const [row] = rows
  if (!row) throw new Error('the table writer has no row')
  return row
}
