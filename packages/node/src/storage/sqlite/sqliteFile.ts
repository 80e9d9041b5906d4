import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { LRUCache } from 'lru-cache'
import { withNul, withoutNul } from '../bytes.ts'
import { toNetworkError } from './problems.ts'

/** Maximum number of prepared statements: the network has fewer, except for lists of many lengths. */
const preparedLimit = 1000

const isRead = (sql: string) => /^\s*(select|with|pragma)\b/i.test(sql)

/** A statement that changed rows, with its bound values: numbers, texts, blobs and null. */
export type Statement = { sql: string; parameters: readonly unknown[] }

/** A file of SQLite, and the one connection to it. Each transaction of the network is one of SQLite. */
export class SqliteFile implements SqliteDatabase {
  protected readonly sqlite: InstanceType<typeof LibsqlDatabase>
  protected readonly directory: string
  readonly #prepared = new LRUCache<string, SqliteStatement>({ max: preparedLimit })
  /** Whether a transaction of the network is open. */
  protected isOpen = false

  /** `directory` is named in errors. */
  constructor(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string) {
    this.sqlite = sqlite
    this.directory = directory
  }

  /** A statement. It is prepared once, because Kysely asks for it on every run. */
  prepare(sql: string): SqliteStatement {
    const known = this.#prepared.get(sql)
    if (known) return known
    // libsql has better-sqlite3's interface, but incomplete types.
    const statement = this.attempt(() => this.sqlite.prepare(sql) as unknown as SqliteStatement)
    const writes = !isRead(sql)
    const run = <Result>(task: (bound: unknown[]) => Result, parameters: readonly unknown[]): Result => {
      const bound = parameters.map(withoutNul)
      if (!writes) return this.attempt(() => task(bound))
      if (!this.isOpen) throw new Error(`only a transaction may write: ${sql}`)
      const result = this.attempt(() => task(bound))
      this.wrote({ sql, parameters: bound })
      return result
    }
    const wrapped: SqliteStatement = {
      reader: statement.reader,
      all: (parameters) => run((bound) => statement.all(bound), parameters).map(wholeRow),
      run: (parameters) => run((bound) => statement.run(bound), parameters),
      iterate: () => {
        throw new Error('results are not streamed: read them page by page')
      },
    }
    this.#prepared.set(sql, wrapped)
    return wrapped
  }

  /** Runs a statement of the transaction that is open, and returns its rows. */
  runNow(sql: string, parameters: readonly unknown[]): readonly unknown[] {
    const statement = this.prepare(sql)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }

  /** Reads what is stored, outside of transactions; `undefined` if the file is closed, or a transaction is open that may be undone. */
  readNow(sql: string, parameters: readonly unknown[]): readonly unknown[] | undefined {
    return this.isOpen || !this.sqlite.open ? undefined : this.runNow(sql, parameters)
  }

  /** Whether a transaction of SQLite is open. libsql ends the process when it is asked this of a closed file. */
  protected get inTransaction(): boolean {
    return this.sqlite.open && this.sqlite.inTransaction
  }

  /** Called with each statement of a transaction that may have changed rows. */
  protected wrote(_statement: Statement): void {}

  /** Starts a transaction of the network. */
  begin(): void {
    this.attempt(() => this.sqlite.exec('begin'))
    this.isOpen = true
  }

  /** Lets the transaction that is open be durable with the next one that is flushed, where any is. */
  flushLater(): void {}

  /** Ends the transaction. */
  async commit(): Promise<void> {
    this.attempt(() => this.sqlite.exec('commit'))
    this.isOpen = false
  }

  /** Undoes the transaction, if it is open. */
  rollback(): void {
    if (!this.isOpen) return
    this.isOpen = false
    // After a disk error, SQLite may have done so.
    if (this.inTransaction) this.attempt(() => this.sqlite.exec('rollback'))
  }

  /** Begins a part of the transaction that can be undone alone. */
  beginPart(): void {
    this.attempt(() => this.sqlite.exec('savepoint part'))
  }

  endPart(): void {
    this.attempt(() => this.sqlite.exec('release part'))
  }

  /** Throws if a disk error has undone the whole transaction. */
  undoPart(): void {
    this.attempt(() => this.sqlite.exec('rollback to part; release part'))
  }

  close(): void {
    this.#prepared.clear()
    this.sqlite.close()
  }

  /** Converts disk errors to the network's errors. */
  protected attempt<T>(task: () => T): T {
    try {
      return task()
    } catch (error) {
      throw toNetworkError(error, this.directory)
    }
  }
}

function wholeRow(row: unknown): unknown {
  const columns = row as Record<string, unknown>
  for (const name in columns) {
    const value = columns[name]
    if (typeof value === 'string') columns[name] = withNul(value)
  }
  return columns
}
