import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, SqliteAdapter, SqliteDialect } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Tables } from '../schema.ts'
import { withPreparedStatements } from './preparedStatements.ts'
import { openingProblem } from './problems.ts'

/** SQLite takes changes of tables back like any other: a process that is killed meanwhile leaves none of them, or all. */
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

/** Opens the network's file in a data directory, which is made when it is not there. */
export async function openSqlite(directory: string): Promise<Database> {
  const sqlite = openFile(directory)
  const queries = new Kysely<Tables>({
    dialect: new Dialect({ database: withPreparedStatements(sqlite, directory) }),
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
    const file = makePrivate(directory)
    const sqlite = new LibsqlDatabase(file)
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

/** Makes the directory and the file where they are not there, for their owner alone, whatever the umask is. Answers the file. */
function makePrivate(directory: string): string {
  const file = join(directory, 'network.sqlite')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // A directory with files of others in it is not only ours to close.
  if (readdirSync(directory).every((name) => /^(network\.sqlite|sample)/.test(name)))
    tryTo(() => chmodSync(directory, 0o700))
  // SQLite gives its journals the rights of the file. One that is there is not opened: closing it would drop its locks.
  tryTo(() => closeSync(openSync(file, 'wx', 0o600)))
  for (const suffix of ['', '-wal', '-shm', '-journal']) tryTo(() => chmodSync(file + suffix, 0o600))
  return file
}

/** For what a directory of another owner, or a disk without rights, does not let us do. What keeps SQLite from working, it says. */
function tryTo(task: () => void): void {
  try {
    task()
  } catch {}
}
