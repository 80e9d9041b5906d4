import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import LibsqlDatabase from 'libsql'
import type { Database } from '../database.ts'
import { migrate } from '../migrations/migrate.ts'
import type { Tables } from '../schema.ts'
import { Dialect, FileDialect, transactionsOf } from './dialect.ts'
import { openingProblem } from './problems.ts'
import { SqliteFile } from './sqliteFile.ts'

/** What a network stores that keeps nothing. It can be opened again, after a reset or while its host runs, until it is closed. */
export type EphemeralStore = {
  /** Its `close` leaves everything for the next one that opens it. */
  database: Database
  /** What it takes on the disk. */
  bytes(): number
  close(): Promise<void>
}

/**
 * Opens an empty store in a temporary file, which bounds its memory: SQLite keeps the whole of a database without a file in
 * memory. Nothing is flushed. The file has no name while it is open, so it is gone with the process, however that ends.
 * Throws `DATA_DIRECTORY_UNUSABLE` for the directory of temporary files.
 */
export async function openEphemeral(): Promise<EphemeralStore> {
  const parent = tmpdir()
  let directory: string | undefined
  let sqlite: InstanceType<typeof LibsqlDatabase> | undefined
  const remove = () => directory !== undefined && rmSync(directory, { recursive: true, force: true })
  try {
    directory = mkdtempSync(join(parent, 'understudy-'))
    sqlite = openFile(join(directory, 'network.sqlite'))
    await migrate(new Kysely<Tables>({ dialect: new Dialect({ database: sqlite as never }) }), 'sqlite')
    // Windows keeps the names of open files.
    if (process.platform !== 'win32') remove()
  } catch (error) {
    sqlite?.close()
    remove()
    throw openingProblem(error, parent)
  }
  const opened = sqlite
  const file = new SqliteFile(opened, parent)
  const queries = new Kysely<Tables>({ dialect: new FileDialect(file) })
  const pragma = (name: string) => Number((opened.pragma(name) as Record<string, number>[])[0]?.[name])
  return {
    database: {
      queries,
      engine: 'sqlite',
      location: 'none (--ephemeral)',
      ...transactionsOf(queries, file),
      failed: new Promise(() => {}),
      // It may stay closed for long.
      close: async () => void opened.pragma('shrink_memory'),
    },
    bytes: () => pragma('page_count') * pragma('page_size'),
    async close() {
      await queries.destroy()
      remove()
    },
  }
}

function openFile(file: string) {
  const sqlite = new LibsqlDatabase(file)
  sqlite.pragma('locking_mode = exclusive')
  // A write-ahead log would write every page twice.
  sqlite.pragma('journal_mode = memory')
  sqlite.pragma('synchronous = off')
  sqlite.pragma('cache_size = -65536')
  sqlite.pragma('temp_store = memory')
  sqlite.exec('begin immediate; commit')
  return sqlite
}
