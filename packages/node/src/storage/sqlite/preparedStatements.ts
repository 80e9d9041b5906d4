import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { LRUCache } from 'lru-cache'
import { withNul, withoutNul } from '../nul.ts'
import { toNetworkError } from './problems.ts'

/** Statements that are kept prepared at the most: the network has fewer, but for lists of many lengths. */
const preparedLimit = 1000

/** A database that prepares each statement once: Kysely asks for it again each time that it runs. */
export function withPreparedStatements(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: preparedLimit })
  return {
    prepare(sql) {
      let statement = prepared.get(sql)
      if (statement === undefined) {
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

/** A statement that stores and reads texts with a NUL in them, and whose errors are the network's where the disk is at fault. */
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
    all: (parameters) => attempt(() => statement.all(parameters.map(withoutNul)).map(wholeRow)),
    run: (parameters) => attempt(() => statement.run(parameters.map(withoutNul))),
    iterate: () => {
      throw new Error('results are not streamed: read them page by page')
    },
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

function wholeRow(row: unknown): unknown {
  const columns = row as Record<string, unknown>
  for (const name in columns) {
    const value = columns[name]
    if (typeof value === 'string') columns[name] = withNul(value)
  }
  return columns
}
