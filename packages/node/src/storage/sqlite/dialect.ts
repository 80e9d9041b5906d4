import { type Kysely, type QueryCompiler, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely'
import { rowsOfNetwork } from '../branches/layers.ts'
import { networkCompiler } from '../branches/networkCompiler.ts'
import type { Database } from '../database.ts'
import { runsNow } from '../queries/runStatement.ts'
import type { Tables } from '../schema.ts'
import { createSharedTransactions } from './sharedTransactions.ts'
import type { SqliteFile } from './sqliteFile.ts'

/** SQLite's table changes are transactional: a process that is killed leaves all of them or none. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new Adapter()
  }
}

/** Runs the transactions of a network on its file. */
export class FileDriver extends SqliteDriver {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    super({ database: file })
    this.#file = file
  }

  override async beginTransaction(): Promise<void> {
    this.#file.begin()
  }

  override async commitTransaction(): Promise<void> {
    await this.#file.commit()
  }

  override async rollbackTransaction(): Promise<void> {
    this.#file.rollback()
  }
}

export class FileDialect extends Dialect {
  readonly #driver: SqliteDriver

  constructor(file: SqliteFile, driver: SqliteDriver = new FileDriver(file)) {
    super({ database: file })
    this.#driver = driver
  }

  override createDriver(): SqliteDriver {
    return this.#driver
  }

  override createQueryCompiler(): QueryCompiler {
    return networkCompiler('sqlite', rowsOfNetwork(0))
  }
}

/** The transactions of a file, alone and shared. */
export function transactionsOf(queries: Kysely<Tables>, file: SqliteFile): Pick<Database, 'transaction' | 'together'> {
  runsNow(queries, (sql, parameters) => file.readNow(sql, parameters))
  const transaction: Database['transaction'] = (task) =>
    queries.transaction().execute((transaction) => {
      runsNow(transaction, (sql, parameters) => file.runNow(sql, parameters))
      return task(transaction)
    })
  return {
    transaction,
    together: createSharedTransactions(transaction, file),
  }
}
