import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { branchColumns, branchTable } from '../../src/storage/branches/layers.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { tables } from '../../src/storage/tables.ts'
import { dropTestPlace, isInDatabase, newTestPlace } from '../testDatabase.ts'

/** Table → column → its type in TypeScript. */
type Columns = Record<string, Record<string, string>>

const place = newTestPlace()
const directory = mkdtempSync(join(tmpdir(), 'understudy-tables-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase(place ?? directory)
})
afterAll(async () => {
  await database?.close()
  rmSync(directory, { recursive: true, force: true })
  if (place) await dropTestPlace(place)
})

/** The columns as the types say. `Generated` only says that inserts may leave the column out. */
function declaredColumns(): Columns {
  const declared: Columns = {}
  for (const file of ['schema', 'callTables', 'contractTables']) {
    const text = readFileSync(new URL(`../../src/storage/${file}.ts`, import.meta.url), 'utf8')
    const types = text.replace(/\/\*.*?\*\//gs, '')
    for (const [, table = '', columns = ''] of types.matchAll(/(\w+): \{([^{}]*)\}/g))
      declared[table] = Object.fromEntries(
        columns
          .split(/[;\n]/)
          .map((column) => column.trim())
          .filter((column) => column !== '')
          .map((column) => column.replace(/Generated<(\w+)>/, '$1').split(': ') as [string, string]),
      )
  }
  return declared
}

const typeNames: Record<string, string> = {
  integer: 'number',
  bigint: 'number',
  text: 'string',
  blob: 'Uint8Array',
  bytea: 'Uint8Array',
}

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
    stored[table][name] = `${typeNames[type] ?? type}${nullable ? ' | null' : ''}`
  }
  return stored
}

it('has the columns that the types say', async () => {
  const declared = declaredColumns()
  const ofBranches = Object.fromEntries(
    Object.entries(tables).flatMap(([name, { branch }]) =>
      branch === 'shared' ? [] : [[branchTable(name), { branch: 'number', ...declared[name] }]],
    ),
  )
  expect(await storedColumns()).toEqual({ ...declared, ...ofBranches })
  expect(Object.keys(tables).sort()).toEqual(Object.keys(declared).sort())
  for (const [name, columns] of branchColumns)
    expect([...columns].sort()).toEqual(Object.keys(declared[name] ?? {}).sort())
})

it('knows which columns the database numbers', () => {
  const text = readFileSync(new URL('../../src/storage/schema.ts', import.meta.url), 'utf8')
  const generated = [...text.matchAll(/(\w+): \{[^{}]*?(\w+): Generated</gs)].map(([, table, column]) => [
    table,
    column,
  ])
  const numbered = Object.entries(tables).flatMap(([table, facts]) =>
    'numbered' in facts ? [[table, ...facts.copied]] : [],
  )
  expect(numbered.sort()).toEqual(generated.sort())
})
