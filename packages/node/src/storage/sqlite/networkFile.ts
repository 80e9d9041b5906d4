import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type LibsqlDatabase from 'libsql'
import { NetworkError } from '../../shared/errors.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { FileSums } from './fileSums.ts'
import { toNetworkError } from './problems.ts'
import type { RedoLog } from './redoLog.ts'
import { SqliteFile, type Statement } from './sqliteFile.ts'

/** 32 MiB: pages that many commits write, such as those of indexes, reach the file only once. */
const checkpointBytes = 2 ** 25

/**
 * The file of a network, and the one connection to it. SQLite's transaction stays open across those of the network: each
 * of them is a savepoint in it, and is durable as a record of the redo log. SQLite commits later, many at once.
 */
export class NetworkFile extends SqliteFile {
  readonly #log: RedoLog
  readonly #sums: FileSums
  readonly #walPath: string
  /** Whether the transaction that is open is to be flushed with a later one. */
  #flushesLater = false
  /** After a disk error, SQLite may have rolled back all that it had not committed. */
  #isBehind = false
  #couldNotSettle = false
  /** Whether SQLite has everything, and no log. */
  #isRetired = false

  /** Applies what SQLite had not committed when the process was killed. */
  constructor(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string, log: RedoLog, sums: FileSums) {
    super(sqlite, directory)
    this.#log = log
    this.#sums = sums
    this.#walPath = join(directory, 'network.sqlite-wal')
    this.#redo()
    this.settle()
  }

  /**
   * Numbers this start's records above all others: they are not for a file that lost what SQLite had committed before, as
   * on a disk that ignores flushes.
   */
  restartLog(): void {
    const number = this.#log.number + 2 ** 20 + randomInt(2 ** 31)
    this.attempt(() =>
      this.sqlite.exec(`begin; delete from redo_log; insert into redo_log (number) values (${number}); commit`),
    )
    this.#log.restart(number)
  }

  /** Whether SQLite has committed every record of the redo log. */
  get isSettled(): boolean {
    return this.#log.isSettled
  }

  protected override wrote(statement: Statement): void {
    this.#log.add(statement)
  }

  /** Starts a transaction of the network. Throws `NETWORK_STOPPING` when the file is being closed. */
  override begin(): void {
    if (this.#isRetired) throw new NetworkError('NETWORK_STOPPING', {})
    if (this.#couldNotSettle) this.settle()
    this.attempt(() => {
      if (!this.inTransaction) this.sqlite.exec('begin')
      this.sqlite.exec('savepoint change')
    })
    this.isOpen = true
    this.#flushesLater = false
    this.#log.begin()
  }

  override flushLater(): void {
    this.#flushesLater = true
  }

  /** Ends the transaction. It is durable when this resolves, unless it is flushed later. */
  override async commit(): Promise<void> {
    const { isEmpty, hasRoom } = this.#log
    if (!isEmpty && hasRoom)
      await this.#log.append({ isFlushed: !this.#flushesLater }).catch((error) => {
        throw toNetworkError(error, this.directory)
      })
    this.attempt(() => this.sqlite.exec('release change'))
    this.isOpen = false
    if (isEmpty || hasRoom) return
    this.#log.skip()
    // A transaction of many megabytes reaches the database's own file in another turn of the event loop.
    this.settle()
    await yieldToEventLoop()
    await this.checkpoint()
  }

  /** Lets SQLite write the pages of its log to the file, if they are many. Call it after `settle`, while no transaction may begin. */
  async checkpoint(): Promise<void> {
    if ((statSync(this.#walPath, { throwIfNoEntry: false })?.size ?? 0) < checkpointBytes) return
    // If that fails, the pages stay in the log, and the next call tries again.
    await this.#sums.checkpoint(this.sqlite).catch(() => {})
  }

  /** Begins a part of the transaction that can be undone alone. */
  override beginPart(): void {
    super.beginPart()
    this.#log.beginPart()
  }

  /** Throws if a disk error has undone the whole transaction. */
  override undoPart(): void {
    super.undoPart()
    this.#log.undoPart()
  }

  /** Undoes the transaction, if it is open. */
  override rollback(): void {
    if (!this.isOpen) return
    this.isOpen = false
    if (!this.#isBehind) this.attempt(() => this.sqlite.exec('rollback to change; release change'))
  }

  /**
   * Lets SQLite commit what only the redo log has. If that fails, the log keeps it, and transactions are refused until it
   * succeeds.
   */
  settle(): void {
    this.#couldNotSettle = true
    try {
      this.attempt(() => {
        if (!this.inTransaction) return
        this.sqlite.prepare('update redo_log set number = ?').run(this.#log.number)
        this.sqlite.exec('commit')
      })
    } catch (error) {
      this.#isBehind = true
      throw error
    }
    this.#couldNotSettle = false
    this.#log.clear()
  }

  /** Lets SQLite commit all, and forget the log. Transactions are refused from then on. */
  retireLog(): void {
    this.settle()
    this.attempt(() => {
      this.#log.retire()
      this.sqlite.exec('delete from redo_log')
    })
    this.#isRetired = true
  }

  override close(): void {
    super.close()
    this.#log.close({ isRemoved: this.#isRetired })
  }

  /** Runs the statements of the redo log since SQLite's last commit. */
  #redo(): void {
    if (this.inTransaction) this.sqlite.exec('rollback')
    const [row] = this.sqlite.prepare('select number from redo_log').all() as { number: number }[]
    this.sqlite.exec('begin')
    for (const statements of this.#log.after(row?.number ?? 0))
      for (const { sql, parameters } of statements) {
        const statement = this.sqlite.prepare(sql)
        if (statement.reader) statement.all(parameters)
        else statement.run(parameters)
      }
    this.#isBehind = false
  }

  /** Converts disk errors to the network's errors. */
  protected override attempt<T>(task: () => T): T {
    try {
      if (this.#isBehind) {
        if (this.isOpen) throw new Error('the transaction was rolled back')
        this.#redo()
      }
      return task()
    } catch (error) {
      // SQLite has one transaction open from the first one of the network to `settle`.
      if (this.isOpen && !this.inTransaction) this.#isBehind = true
      throw toNetworkError(error, this.directory)
    }
  }
}
