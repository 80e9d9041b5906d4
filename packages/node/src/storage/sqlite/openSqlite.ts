import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'
import { openingProblem, toNetworkError } from './problems.ts'

/** Opens the network's file in a data directory, which is made when it is not there. */
export async function openSqlite(directory: string): Promise<Database> {
  const sqlite = openFile(directory)
  const queries = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: withPreparedStatements(sqlite, directory) }),
  })
  try {
    await migrate(queries, 'sqlite')
  } catch (error) {
    try {
      unlock(sqlite)
    } catch {
      // What kept it from opening keeps it from this too.
    }
    await queries.destroy()
    throw openingProblem(error, directory)
  }
  return {
    queries,
    engine: 'sqlite',
    place: directory,
    transaction: (task) => queries.transaction().execute(task),
    failed: new Promise(() => {}),
    async close() {
      unlock(sqlite)
      await queries.destroy()
    },
  }
}

/**
 * The driver frees a closed file only with its last statement, which the garbage collector decides; the lock goes now.
 * It goes only outside of the write-ahead mode.
 */
function unlock(sqlite: InstanceType<typeof LibsqlDatabase>): void {
  sqlite.pragma('journal_mode = delete')
  sqlite.pragma('locking_mode = normal')
  sqlite.exec('begin immediate; commit')
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
    throw openingProblem(error, directory)
  }
}

/** Statements that are kept prepared at the most: the network has fewer, but for lists of many lengths. */
const preparedLimit = 1000

/** A database that prepares each statement once: Kysely asks for it again each time that it runs. */
function withPreparedStatements(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    prepare(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) {
        if (prepared.size >= preparedLimit) prepared.clear()
        statement = sql === 'rollback' ? rollbackOf(sqlite) : prepare(sqlite, sql, directory)
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

/** A statement whose errors are the network's, where the disk is at fault. */
function prepare(sqlite: InstanceType<typeof LibsqlDatabase>, sql: string, directory: string): SqliteStatement {
  const attempt = <T>(task: () => T): T => {
    try {
      return task()
    } catch (error) {
      throw toNetworkError(error, directory)
    }
  }
  // libsql has better-sqlite3's interface; its own types say less.
  const statement = attempt(() => sqlite.prepare(sql) as unknown as SqliteStatement)
  return {
    reader: statement.reader,
    all: (parameters) => attempt(() => statement.all(parameters)),
    run: (parameters) => attempt(() => statement.run(parameters)),
    iterate: (parameters) => attempt(() => statement.iterate(parameters)),
  }
}

/** Where the disk failed, SQLite has gone back by itself, and another rollback would hide why. */
function rollbackOf(sqlite: InstanceType<typeof LibsqlDatabase>): SqliteStatement {
  const run = () => {
    if (sqlite.inTransaction) sqlite.exec('rollback')
    return { changes: 0, lastInsertRowid: 0 }
  }
  return { reader: false, all: () => [], run, iterate: () => [].values() }
}
