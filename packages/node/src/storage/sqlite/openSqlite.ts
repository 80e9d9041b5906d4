import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Clock } from '../../shared/clock.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { runsNow } from '../runStatement.ts'
import type { Tables } from '../schema.ts'
import { checkpointPages, NetworkFile } from './networkFile.ts'
import { openingProblem } from './problems.ts'
import { RedoDriver } from './redoDriver.ts'
import { RedoLog } from './redoLog.ts'
import { createSharedTransactions } from './sharedTransactions.ts'

/** SQLite's table changes are transactional: a process that is killed leaves all of them or none. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new Adapter()
  }
}

class RedoDialect extends Dialect {
  readonly #driver: RedoDriver

  constructor(file: NetworkFile, clock: Clock) {
    super({ database: file })
    this.#driver = new RedoDriver(file, clock)
  }

  override createDriver(): RedoDriver {
    return this.#driver
  }
}

/** Opens the network's file in a data directory; creates the directory if necessary. */
export async function openSqlite(directory: string, clock: Clock): Promise<Database> {
  const sqlite = openFile(directory)
  let log: RedoLog | undefined
  let file: NetworkFile
  try {
    log = openRedoLog(sqlite, directory)
    file = new NetworkFile(sqlite, directory, log)
    await migrate(new Kysely<Tables>({ dialect: new Dialect({ database: sqlite as never }) }), 'sqlite')
    file.restartLog()
  } catch (error) {
    try {
      if (sqlite.inTransaction) sqlite.exec('rollback')
      unlock(sqlite)
    } catch {
      // The error that prevented opening applies here too.
    }
    sqlite.close()
    log?.close({ isRemoved: false })
    throw openingProblem(error, directory)
  }
  const queries = new Kysely<Tables>({ dialect: new RedoDialect(file, clock) })
  const transaction: Database['transaction'] = (task) =>
    queries.transaction().execute((transaction) => {
      runsNow(transaction, (sql, parameters) => file.runNow(sql, parameters))
      return task(transaction)
    })
  return {
    queries,
    engine: 'sqlite',
    place: directory,
    transaction,
    withoutFlush: (task) =>
      transaction((queries) => {
        file.flushLater()
        return task(queries)
      }),
    together: createSharedTransactions(queries, file),
    failed: new Promise(() => {}),
    async close() {
      try {
        await queries.connection().execute(async () => file.retireLog())
        unlock(sqlite)
      } finally {
        await queries.destroy()
      }
    },
  }
}

function openRedoLog(sqlite: InstanceType<typeof LibsqlDatabase>, directory: string): RedoLog {
  // It has a row while the network runs, and after it was killed.
  sqlite.exec('create table if not exists redo_log (number integer not null)')
  const isNew = sqlite.prepare('select number from redo_log').all().length === 0
  const log = new RedoLog(directory, { isNew })
  tryTo(() => syncDirectory(directory))
  return log
}

/** Makes the names of new files durable. */
function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

/**
 * The driver releases a closed file only with its last statement, when it is garbage collected. This releases the lock
 * now, which is possible only outside of WAL mode.
 */
function unlock(sqlite: InstanceType<typeof LibsqlDatabase>): void {
  sqlite.pragma('journal_mode = delete')
  sqlite.pragma('locking_mode = normal')
  sqlite.exec('begin immediate; commit')
}

function openFile(directory: string) {
  try {
    const file = makePrivate(directory)
    const sqlite = new LibsqlDatabase(file)
    // The first access takes the lock, which ends with the process.
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('locking_mode = exclusive')
    sqlite.pragma('synchronous = full')
    sqlite.pragma('cache_size = -65536')
    // For savepoints, which would use files.
    sqlite.pragma('temp_store = memory')
    sqlite.pragma(`wal_autocheckpoint = ${checkpointPages}`)
    sqlite.exec('begin immediate; commit')
    return sqlite
  } catch (error) {
    throw openingProblem(error, directory)
  }
}

/** Creates the directory and the file if necessary, for their owner only, regardless of the umask. Returns the file. */
function makePrivate(directory: string): string {
  const file = join(directory, 'network.sqlite')
  makeDirectory(directory)
  // Do not change the mode of a directory that has other files.
  if (readdirSync(directory).every((name) => /^(network\.(sqlite|redo)|sample)/.test(name)))
    tryTo(() => chmodSync(directory, 0o700))
  // SQLite gives its journals the file's mode. Do not open an existing file: closing it would drop its locks.
  tryTo(() => closeSync(openSync(file, 'wx', 0o600)))
  for (const suffix of ['', '-wal', '-shm', '-journal']) tryTo(() => chmodSync(file + suffix, 0o600))
  return file
}

/** Creates a directory and its parents. In Node.js 20, `recursive` never ends where a file system refuses new entries (/proc). */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return
  makeDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!existsSync(directory)) throw error
  }
}

/**
 * Ignores what another owner's directory, or a disk without permissions, does not allow. SQLite reports real problems
 * itself.
 */
function tryTo(task: () => void): void {
  try {
    task()
  } catch {}
}
