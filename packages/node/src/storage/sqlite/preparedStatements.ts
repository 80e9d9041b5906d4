import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { LRUCache } from 'lru-cache'
import { withNul, withoutNul } from '../nul.ts'
import { toNetworkError } from './problems.ts'

/** Maximum number of prepared statements: the network has fewer, except for lists of many lengths. */
const preparedLimit = 1000

/** A database that prepares each statement once, because Kysely prepares it on every run. */
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

/** A statement that handles NUL in strings and converts disk errors to the network's errors. */
function prepare(sqlite: InstanceType<typeof LibsqlDatabase>, sql: string, directory: string): SqliteStatement {
  const attempt = <T>(task: () => T): T => {
    try {
      return task()
    } catch (error) {
      throw toNetworkError(error, directory)
    }
  }
  // libsql has better-sqlite3's interface, but incomplete types.
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

/** After a disk error, SQLite has already rolled back, and another rollback would hide the cause. */
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
