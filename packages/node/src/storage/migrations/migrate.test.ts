import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../openDatabase.ts'
import { migrations } from './migrations.ts'

const names = Object.keys(migrations)

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-migrate-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const open = async () => (await openDatabase(directory)).close()

function onFile<T>(task: (sqlite: InstanceType<typeof LibsqlDatabase>) => T): T {
  const sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'))
  try {
    return task(sqlite)
  } finally {
    sqlite.close()
    // They are of the file that was closed before.
    rmSync(join(directory, 'network.sums'), { force: true })
  }
}

/** Makes the tables as the version left them that knew only these migrations. */
const makeOlder = (known: readonly string[]) =>
  onFile((sqlite) => {
    sqlite.exec(
      'create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)',
    )
    for (const name of known) {
      for (const statement of migrations[name] ?? []) sqlite.exec(statement)
      sqlite.exec(`insert into kysely_migration values ('${name}', '2026-01-01T00:00:00.000Z')`)
    }
  })

const schema = () =>
  onFile((sqlite) =>
    sqlite.prepare("select name, sql from sqlite_schema where name not like 'kysely%' and sql is not null").all(),
  )
const byName = (rows: unknown[]) =>
  new Map((rows as { name: string; sql: string }[]).map(({ name, sql }) => [name, sql]))

it('lists migrations in the order in which they run', () => {
  expect(names).toEqual([...names].sort())
})

describe('the tables of a network', () => {
  it.each(names.map((name, index) => ({ name, known: names.slice(0, index) })))(
    'are brought up to date from before $name',
    async ({ known }) => {
      makeOlder(known)
      await open()
      const upgraded = byName(schema())
      rmSync(join(directory, 'network.sqlite'))
      await open()
      expect(upgraded).toEqual(byName(schema()))
    },
  )

  it.each([
    { migration: '9999_later', kind: 'NETWORK_VERSION_TOO_NEW' },
    { migration: '0001_network', kind: 'NETWORK_VERSION_TOO_OLD' },
  ])('are left alone when they have the migration $migration', async ({ migration, kind }) => {
    await open()
    onFile((sqlite) => sqlite.exec(`insert into kysely_migration values ('${migration}', '2030-01-01T00:00:00.000Z')`))
    const before = byName(schema())
    await expect(open()).rejects.toMatchObject({ kind, details: { migration } })
    expect(byName(schema())).toEqual(before)
  })
})
