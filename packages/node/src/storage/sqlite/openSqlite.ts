import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Clock } from '../../shared/clock.ts'
import { isNetworkError } from '../../shared/errors.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Tables } from '../schema.ts'
import { Dialect, FileDialect, transactionsOf } from './dialect.ts'
import { FileSums, searchDamage } from './fileSums.ts'
import { NetworkFile } from './networkFile.ts'
import { openingProblem } from './problems.ts'
import { RedoDriver } from './redoDriver.ts'
import { RedoLog } from './redoLog.ts'

/** Opens the network's file in a data directory; creates the directory if necessary. */
export async function openSqlite(directory: string, clock: Clock): Promise<Database> {
  const sums = new FileSums(directory)
  const condition = await sums.check().catch((error) => {
    // Another process may be writing it.
    requireUnused(directory)
    throw openingProblem(error, directory)
  })
  const sqlite = openFile(directory)
  let log: RedoLog | undefined
  let file: NetworkFile
  try {
    if (condition === 'unknown') searchDamage(sqlite, directory)
    log = openRedoLog(sqlite, directory)
    file = new NetworkFile(sqlite, directory, log, sums)
    await migrate(new Kysely<Tables>({ dialect: new Dialect({ database: sqlite as never }) }), 'sqlite')
    file.restartLog()
  } catch (error) {
    try {
      if (sqlite.inTransaction) sqlite.exec('rollback')
      await sums.checkpoint(sqlite)
      unlock(sqlite)
    } catch {
      // The error that prevented opening applies here too.
    }
    sqlite.close()
    log?.close({ isRemoved: false })
    throw openingProblem(error, directory)
  }
  const queries = new Kysely<Tables>({ dialect: new FileDialect(file, new RedoDriver(file, clock)) })
  const transactions = transactionsOf(queries, file)
  return {
    queries,
    engine: 'sqlite',
    location: directory,
    ...transactions,
    withoutFlush: (task) =>
      transactions.transaction((queries) => {
        file.flushLater()
        return task(queries)
      }),
    hasDamagedCache: condition === 'damaged cache',
    failed: new Promise(() => {}),
    async close() {
      try {
        await queries.connection().execute(async () => {
          file.retireLog()
          await sums.checkpoint(sqlite)
          sums.save(sqlite)
          unlock(sqlite)
        })
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

/** Throws `DATA_DIRECTORY_IN_USE`. Changes nothing. */
function requireUnused(directory: string): void {
  try {
    const sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'), { readonly: true })
    // A prepared statement would keep the file open.
    sqlite.exec('select 1 from sqlite_schema')
    sqlite.close()
  } catch (error) {
    const problem = openingProblem(error, directory)
    if (isNetworkError(problem, 'DATA_DIRECTORY_IN_USE')) throw problem
  }
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
    // Checksums of the pages are stored first: see `NetworkFile.checkpoint`.
    sqlite.pragma('wal_autocheckpoint = 0')
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
  if (readdirSync(directory).every((name) => /^(network\.(sqlite|redo|sums)|sample)/.test(name)))
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
