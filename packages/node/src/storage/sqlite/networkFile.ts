import { randomInt } from 'node:crypto'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import type LibsqlDatabase from 'libsql'
import { LRUCache } from 'lru-cache'
import { giveWay } from '../../shared/giveWay.ts'
import { withNul, withoutNul } from '../nul.ts'
import { toNetworkError } from './problems.ts'
import type { RedoLog } from './redoLog.ts'

/** Maximum number of prepared statements: the network has fewer, except for lists of many lengths. */
const preparedLimit = 1000

/** 32 MiB: pages that many commits write, such as those of indexes, reach the file only once. */
export const checkpointPages = 8000

const isRead = (sql: string) => /^\s*(select|with|pragma)\b/i.test(sql)

/**
 * The file of a network, and the one connection to it. SQLite's transaction stays open across those of the network: each
 * of them is a savepoint in it, and is durable as a record of the redo log. SQLite commits later, many at once.
 */
export class NetworkFile implements SqliteDatabase {
  readonly #sqlite: InstanceType<typeof LibsqlDatabase>
  readonly #directory: string
  readonly #log: RedoLog
  readonly #prepared = new LRUCache<string, SqliteStatement>({ max: preparedLimit })
  /** Whether a transaction of the network is open. */
  #isOpen = false
  /** Whether that one is to be flushed with a later one. */
  #flushesLater = false
  /** After a disk error, SQLite may have rolled back all that it had not committed. */
  #isBehind = false
  #couldNotSettle = false
  /** Whether SQLite has everything, and no log. */
  #isRetired = false

  /** Applies what SQLite had not committed when the process was killed. */
  constructor(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string, log: RedoLog) {
    this.#sqlite = sqlite
    this.#directory = directory
    this.#log = log
    this.#redo()
    this.settle()
  }

  /**
   * Numbers this start's records above all others: they are not for a file that lost what SQLite had committed before, as
   * on a disk that ignores flushes.
   */
  restartLog(): void {
    const number = this.#log.number + 2 ** 20 + randomInt(2 ** 31)
    this.#attempt(() =>
      this.#sqlite.exec(`begin; delete from redo_log; insert into redo_log (number) values (${number}); commit`),
    )
    this.#log.restart(number)
  }

  /** Whether SQLite has committed every record of the redo log. */
  get isSettled(): boolean {
    return this.#log.isSettled
  }

  /** A statement. It is prepared once, because Kysely asks for it on every run. */
  prepare(sql: string): SqliteStatement {
    const known = this.#prepared.get(sql)
    if (known) return known
    // libsql has better-sqlite3's interface, but incomplete types.
    const statement = this.#attempt(() => this.#sqlite.prepare(sql) as unknown as SqliteStatement)
    const writes = !isRead(sql)
    const run = <Result>(task: (bound: unknown[]) => Result, parameters: readonly unknown[]): Result => {
      const bound = parameters.map(withoutNul)
      if (!writes) return this.#attempt(() => task(bound))
      if (!this.#isOpen) throw new Error(`only a transaction may write: ${sql}`)
      const result = this.#attempt(() => task(bound))
      this.#log.add({ sql, parameters: bound })
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

  /** Starts a transaction of the network. */
  begin(): void {
    if (this.#couldNotSettle) this.settle()
    this.#attempt(() => {
      if (!this.#sqlite.inTransaction) this.#sqlite.exec('begin')
      this.#sqlite.exec('savepoint change')
    })
    this.#isOpen = true
    this.#flushesLater = false
    this.#log.begin()
  }

  /** Lets the transaction that is open be durable with the next one that is flushed. */
  flushLater(): void {
    this.#flushesLater = true
  }

  /** Ends the transaction. It is durable when this resolves, unless it is flushed later. */
  async commit(): Promise<void> {
    const { isEmpty, hasRoom } = this.#log
    if (!isEmpty && hasRoom)
      await this.#log.append({ isFlushed: !this.#flushesLater }).catch((error) => {
        throw toNetworkError(error, this.#directory)
      })
    this.#attempt(() => this.#sqlite.exec('release change'))
    this.#isOpen = false
    if (isEmpty || hasRoom) return
    this.#log.skip()
    await this.#settleLarge()
  }

  /** Commits a transaction of many megabytes; they reach the database's own file in another turn of the event loop. */
  async #settleLarge(): Promise<void> {
    this.#attempt(() => this.#sqlite.pragma('wal_autocheckpoint = 0'))
    try {
      this.settle()
      await giveWay()
      this.#attempt(() => this.#sqlite.pragma('wal_checkpoint(passive)'))
    } finally {
      this.#attempt(() => this.#sqlite.pragma(`wal_autocheckpoint = ${checkpointPages}`))
    }
  }

  /** Begins a part of the transaction that can be undone alone. */
  beginPart(): void {
    this.#attempt(() => this.#sqlite.exec('savepoint part'))
    this.#log.beginPart()
  }

  endPart(): void {
    this.#attempt(() => this.#sqlite.exec('release part'))
  }

  /** Throws if a disk error has undone the whole transaction. */
  undoPart(): void {
    this.#attempt(() => this.#sqlite.exec('rollback to part; release part'))
    this.#log.undoPart()
  }

  /** Undoes the transaction, if it is open. */
  rollback(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (!this.#isBehind) this.#attempt(() => this.#sqlite.exec('rollback to change; release change'))
  }

  /**
   * Lets SQLite commit what only the redo log has. If that fails, the log keeps it, and transactions are refused until it
   * succeeds.
   */
  settle(): void {
    this.#couldNotSettle = true
    try {
      this.#attempt(() => {
        if (!this.#sqlite.inTransaction) return
        this.#sqlite.prepare('update redo_log set number = ?').run(this.#log.number)
        this.#sqlite.exec('commit')
      })
    } catch (error) {
      this.#isBehind = true
      throw error
    }
    this.#couldNotSettle = false
    this.#log.clear()
  }

  /** Lets SQLite commit all, and forget the log. */
  retireLog(): void {
    this.settle()
    this.#attempt(() => {
      this.#log.retire()
      this.#sqlite.exec('delete from redo_log')
    })
    this.#isRetired = true
  }

  close(): void {
    this.#prepared.clear()
    this.#sqlite.close()
    this.#log.close({ isRemoved: this.#isRetired })
  }

  /** Runs the statements of the redo log since SQLite's last commit. */
  #redo(): void {
    if (this.#sqlite.inTransaction) this.#sqlite.exec('rollback')
    const [row] = this.#sqlite.prepare('select number from redo_log').all() as { number: number }[]
    this.#sqlite.exec('begin')
    for (const statements of this.#log.after(row?.number ?? 0))
      for (const { sql, parameters } of statements) {
        const statement = this.#sqlite.prepare(sql)
        if (statement.reader) statement.all(parameters)
        else statement.run(parameters)
      }
    this.#isBehind = false
  }

  /** Converts disk errors to the network's errors. */
  #attempt<T>(task: () => T): T {
    try {
      if (this.#isBehind) {
        if (this.#isOpen) throw new Error('the transaction was rolled back')
        this.#redo()
      }
      return task()
    } catch (error) {
      // SQLite has one transaction open from the first one of the network to `settle`.
      if (this.#isOpen && !this.#sqlite.inTransaction) this.#isBehind = true
      throw toNetworkError(error, this.#directory)
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
