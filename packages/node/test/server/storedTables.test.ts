import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { idOf, isOfBranches } from '../../src/storage/branches/layers.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { schema, type TableName } from '../../src/storage/schema.ts'
import { tables } from '../../src/storage/tables.ts'
import { dropTestLocation, isInDatabase, newTestLocation } from '../testDatabase.ts'

/** Table → column → its type in the schema. */
type Columns = Record<string, Record<string, string>>

const location = newTestLocation()
const directory = mkdtempSync(join(tmpdir(), 'understudy-tables-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase(location ?? directory)
})
afterAll(async () => {
  await database?.close()
  rmSync(directory, { recursive: true, force: true })
  if (location) await dropTestLocation(location)
})

const typeNames: Record<string, string> = { bigint: 'integer', bytea: 'blob' }

/** The columns as the schema says. The database, or the branch, numbers an `id`. */
const declaredColumns = (): Columns =>
  Object.fromEntries(
    Object.entries(schema).map(([name, columns]) => [
      name,
      {
        ...(isOfBranches(name) && { branch: 'integer' }),
        ...Object.fromEntries(
          Object.entries(columns).map(([column, type]) => [column, type === 'id' ? 'integer' : type]),
        ),
      },
    ]),
  )

type Found = { table: string; name: string; type: string; nullable: boolean | number }

/** `redo_log` belongs to the file, as the migrator's tables do. */
const inSqlite = sql<Found>`
  select entry.name as "table", field.name, lower(field.type) as type, field."notnull" = 0 and field.pk = 0 as nullable
  from sqlite_schema as entry join pragma_table_info(entry.name) as field
  where entry.type = 'table' and entry.name not like 'kysely%' and entry.name not like 'sqlite%'
    and entry.name <> 'redo_log'`
const inPostgres = sql<Found>`
  select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as nullable
  from information_schema.columns where table_schema = current_schema() and table_name not like 'kysely%'`

async function storedColumns(): Promise<Columns> {
  const { rows } = await (isInDatabase ? inPostgres : inSqlite).execute(database.queries)
  const stored: Columns = {}
  for (const { table, name, type, nullable } of rows) {
    stored[table] ??= {}
    stored[table][name] = `${typeNames[type] ?? type}${nullable ? '?' : ''}`
  }
  return stored
}

it('has the columns that the schema says', async () => {
  expect(await storedColumns()).toEqual(declaredColumns())
  expect(Object.keys(tables).sort()).toEqual(Object.keys(schema).sort())
})

it('numbers the first column of a key only', () => {
  for (const [name, { copied }] of Object.entries(tables)) {
    const id = idOf(name as TableName)
    if (id !== undefined) expect({ name, key: copied }).toEqual({ name, key: [id] })
  }
})
