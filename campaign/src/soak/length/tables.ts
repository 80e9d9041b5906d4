import { createRequire } from 'node:module'
import { join } from 'node:path'

type Sqlite = new (
  path: string,
  options: { readonly: boolean },
) => {
  prepare(sql: string): { all(): Record<string, unknown>[] }
  close(): void
}

/** The number of rows of each table of a stopped network, largest first. */
export function countRows(directory: string): [table: string, rows: number][] {
  const Database = createRequire(import.meta.url)('libsql') as Sqlite
  const database = new Database(join(directory, 'network.sqlite'), { readonly: true })
  try {
    const names = database.prepare(`select name from sqlite_master where type = 'table'`).all()
    const counts = names.map(({ name }): [string, number] => {
      const [row] = database.prepare(`select count(*) as count from "${name}"`).all()
      return [String(name), Number(row?.count)]
    })
    return counts.sort(([, a], [, b]) => b - a)
  } finally {
    database.close()
  }
}
