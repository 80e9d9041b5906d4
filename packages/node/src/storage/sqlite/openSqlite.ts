import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import LibsqlDatabase from 'libsql'
import { NetworkError } from '../../shared/errors.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'

/** Opens the network's file in a data directory, which is made when it is not there. */
export async function openSqlite(directory: string): Promise<Database> {
  const sqlite = openFile(directory)
  const queries = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: withPreparedStatements(sqlite) }),
  })
  try {
    await migrate(queries, 'sqlite')
  } catch (error) {
    await queries.destroy()
    throw new NetworkError('DATA_DIRECTORY_UNUSABLE', { directory, problem: messageOf(error) }, { cause: error })
  }
  return {
    queries,
    place: directory,
    transaction: (task) => queries.transaction().execute(task),
    failed: new Promise(() => {}),
    async close() {
      // The driver frees a closed file only with its last statement, which the garbage collector decides; the lock goes now.
      // It goes only outside of the write-ahead mode.
      sqlite.pragma('journal_mode = delete')
      sqlite.pragma('locking_mode = normal')
      sqlite.exec('begin immediate; commit')
      await queries.destroy()
    },
  }
}

function openFile(directory: string) {
  try {
    mkdirSync(directory, { recursive: true })
    const sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'))
    // The lock is taken by the first access and goes with the process, however that ends.
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('locking_mode = exclusive')
    sqlite.pragma('synchronous = full')
    sqlite.pragma('cache_size = -65536')
    // 32 MiB: pages that many commits write, as those of indexes are, go to the file once.
    sqlite.pragma('wal_autocheckpoint = 8000')
    sqlite.exec('begin immediate; commit')
    return sqlite
  } catch (error) {
    if (/locked|busy/i.test(messageOf(error)))
      throw new NetworkError('DATA_DIRECTORY_IN_USE', { directory }, { cause: error })
    throw new NetworkError('DATA_DIRECTORY_UNUSABLE', { directory, problem: messageOf(error) }, { cause: error })
  }
}

/** Statements that are kept prepared at the most: the network has fewer, but for lists of many lengths. */
const preparedLimit = 1000

/** A database that prepares each statement once: Kysely asks for it again each time that it runs. */
function withPreparedStatements(sqlite: InstanceType<typeof LibsqlDatabase>): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) {
        if (prepared.size >= preparedLimit) prepared.clear()
        // libsql has better-sqlite3's interface; its own types say less.
        statement = sqlite.prepare(sql) as unknown as SqliteStatement
        prepared.set(sql, statement)
      }
      return statement
    },
    close() {
      prepared.clear()
      sqlite.close()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
