import { AsyncLocalStorage } from 'node:async_hooks'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from '@understudy/testkit'
import LibsqlDatabase from 'libsql'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Queries } from '../database.ts'
import { openDatabase } from '../openDatabase.ts'

const clock = createFakeClock()
let root: string
let database: Database
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'understudy-redo-'))
  database = await openDatabase(join(root, 'network'), { clock })
})
afterEach(async () => {
  await database.close()
  rmSync(root, { recursive: true })
})

const save = (queries: Queries, key: string, value = key) =>
  queries.insertInto('settings').values({ key, value }).execute()
const write = (key: string, value?: string) => database.transaction((queries) => save(queries, key, value))
const keysOf = async ({ queries }: Database) =>
  (await queries.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key)

let copies = 0
/** The files as a process that is killed now leaves them. */
function kill(): string {
  const directory = join(root, `killed${copies++}`)
  cpSync(join(root, 'network'), directory, { recursive: true })
  return directory
}

async function keysAfterKill(directory = kill()): Promise<string[]> {
  const reopened = await openDatabase(directory)
  try {
    return await keysOf(reopened)
  } finally {
    await reopened.close()
  }
}

/** The keys that SQLite has committed. */
function committedIn(directory: string): unknown[] {
  const sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'))
  try {
    return sqlite.prepare('select key from settings order by key').raw().all().flat()
  } finally {
    sqlite.close()
  }
}

it('has every transaction that ended, though SQLite has not committed it', async () => {
  await write('a')
  await write('b', 'with a NUL: \0')
  const killed = kill()
  expect(committedIn(kill())).toEqual([])
  expect(await keysAfterKill(killed)).toEqual(['a', 'b'])
  // Redone once: the first start made it SQLite's.
  expect(await keysAfterKill(killed)).toEqual(['a', 'b'])
  expect(existsSync(join(killed, 'network.redo'))).toBe(false)
})

it('has those that are flushed later, too, in their order', async () => {
  await database.withoutFlush?.((queries) => save(queries, 'a'))
  await write('b')
  await database.withoutFlush?.((queries) => save(queries, 'c'))
  expect(await keysAfterKill()).toEqual(['a', 'b', 'c'])
})

it('starts again at the beginning when SQLite has committed, and does not take older records for newer ones', async () => {
  for (const key of ['a', 'b', 'c']) await write(key)
  clock.advance(1000)
  await expect.poll(() => committedIn(kill())).toEqual(['a', 'b', 'c'])
  expect(await keysAfterKill()).toEqual(['a', 'b', 'c'])
  await write('d')
  expect(await keysAfterKill()).toEqual(['a', 'b', 'c', 'd'])
})

it('makes tasks durable together, and undoes one that throws alone', async () => {
  const saveTogether = (key: string, task = async () => {}) =>
    database.together?.(async (queries) => {
      await save(queries, key)
      await task()
      return key
    })
  const fail = async () => {
    throw new Error('no')
  }
  const outcomes = await Promise.allSettled([
    saveTogether('a'),
    saveTogether('b', fail),
    saveTogether('c'),
    saveTogether('a'),
  ])
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason)))).toEqual([
    'a',
    'Error: no',
    'c',
    expect.stringContaining('UNIQUE'),
  ])
  const killed = kill()
  expect(committedIn(kill())).toEqual([])
  expect(await keysAfterKill(killed)).toEqual(['a', 'c'])
  expect(await keysOf(database)).toEqual(['a', 'c'])
  // A task that does not fit into the log is undone there, too.
  const large = () => database.together?.(async (queries) => save(queries, 'd', 'x'.repeat(2 ** 21)).then(fail))
  expect(
    (await Promise.allSettled([saveTogether('e'), large(), saveTogether('f')])).map(({ status }) => status),
  ).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await keysAfterKill()).toEqual(['a', 'c', 'e', 'f'])
})

it('runs each of the tasks that share a transaction for the request that asked for it', async () => {
  const request = new AsyncLocalStorage<string>()
  const ask = (name: string) => request.run(name, () => database.together?.(async () => request.getStore()))
  expect(await Promise.all(['a', 'b', 'c'].map(ask))).toEqual(['a', 'b', 'c'])
})

it('lets SQLite commit a transaction that does not fit, and what was before it', async () => {
  await write('a')
  await write('b', 'x'.repeat(2 ** 21))
  await write('c')
  const killed = kill()
  expect(committedIn(kill())).toEqual(['a', 'b'])
  expect(await keysAfterKill(killed)).toEqual(['a', 'b', 'c'])
})

it('lets SQLite commit when the log is full', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `k${String(index).padStart(2, '0')}`)
  for (const key of keys) await write(key, 'x'.repeat(100_000))
  expect(await keysAfterKill()).toEqual(keys)
})

it('leaves out a transaction that failed, and one that was not written whole', async () => {
  await write('a')
  await expect(
    database.transaction(async (queries) => {
      await save(queries, 'b')
      await save(queries, 'a')
    }),
  ).rejects.toThrow(/UNIQUE/)
  await write('c')
  expect(await keysAfterKill()).toEqual(['a', 'c'])
  const beforeLast = kill()
  await write('d', 'the last record')
  const torn = kill()
  const log = join(torn, 'network.redo')
  const bytes = readFileSync(log)
  // The process ended while it wrote it: it was not answered.
  readFileSync(join(beforeLast, 'network.redo')).copy(bytes, 0, 0, 12)
  writeFileSync(log, bytes.fill(0, bytes.indexOf('last record')))
  expect(await keysAfterKill(torn)).toEqual(['a', 'c'])
})

const damaged = { kind: 'DATA_DIRECTORY_DAMAGED' }

it.each(['first record', 'second record', 'last record'])('refuses a log in which the %s is damaged', async (which) => {
  for (const key of ['first', 'second', 'last']) await write(key, `the ${key} record`)
  const killed = kill()
  const log = join(killed, 'network.redo')
  const bytes = readFileSync(log)
  const at = bytes.indexOf(which)
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(log, bytes)
  await expect(openDatabase(killed)).rejects.toMatchObject(damaged)
  // It stays so, and the database is as it was.
  await expect(openDatabase(killed)).rejects.toMatchObject(damaged)
  bytes[at] = (bytes[at] as number) ^ 1
  writeFileSync(log, bytes)
  expect(await keysAfterKill(killed)).toEqual(['first', 'last', 'second'])
})

const damages: Record<string, (log: string) => void> = {
  'is missing': (log) => rmSync(log),
  'is empty': (log) => writeFileSync(log, ''),
  'is cut off': (log) => truncateSync(log, 300),
  'is longer': (log) => writeFileSync(log, Buffer.alloc(16), { flag: 'a' }),
  'is zeros': (log) => writeFileSync(log, Buffer.alloc(2 ** 20)),
  'is of an earlier moment': (log) => writeFileSync(log, readFileSync(log).fill(0, 0, 12)),
}
it.each(Object.entries(damages))('refuses a log that %s, and changes nothing', async (_what, damage) => {
  await write('a')
  const killed = kill()
  const log = join(killed, 'network.redo')
  const whole = readFileSync(log)
  damage(log)
  await expect(openDatabase(killed)).rejects.toMatchObject(damaged)
  await expect(openDatabase(killed)).rejects.toMatchObject(damaged)
  writeFileSync(log, whole)
  expect(await keysAfterKill(killed)).toEqual(['a'])
})

it.each(['network.sqlite', 'network.sqlite-wal'])('refuses to go on without %s', async (name) => {
  await write('a')
  clock.advance(1000)
  await expect.poll(() => committedIn(kill())).toEqual(['a'])
  await write('b')
  const killed = kill()
  rmSync(join(killed, name))
  await expect(openDatabase(killed)).rejects.toMatchObject(damaged)
})

it('notices that SQLite has lost what the log does not have any more', async () => {
  await write('a')
  const earlier = kill()
  await write('b', 'x'.repeat(2 ** 21))
  cpSync(join(root, 'network', 'network.redo'), join(earlier, 'network.redo'))
  await expect(openDatabase(earlier)).rejects.toMatchObject(damaged)
})

it('refuses records of a start that the file has lost', async () => {
  await database.close()
  const lost = kill()
  database = await openDatabase(join(root, 'network'), { clock })
  await write('a')
  cpSync(join(root, 'network', 'network.redo'), join(lost, 'network.redo'))
  await expect(openDatabase(lost)).rejects.toMatchObject(damaged)
})

it('starts after an end at any point of the first start and of the last close', async () => {
  await write('a')
  await database.close()
  const closed = kill()
  const log = join(closed, 'network.redo')
  expect(existsSync(log)).toBe(false)
  // Created in part.
  writeFileSync(log, Buffer.alloc(5000))
  expect(await keysAfterKill(closed)).toEqual(['a'])
  writeFileSync(log, '')
  expect(await keysAfterKill(closed)).toEqual(['a'])
  database = await openDatabase(join(root, 'network'), { clock })
  expect(await keysAfterKill()).toEqual(['a'])
})

it('closes while SQLite is about to commit', async () => {
  await write('a')
  const closing = database.close()
  const late = [write('b'), write('c')].map((each) => expect(each).rejects.toMatchObject({ kind: 'NETWORK_STOPPING' }))
  clock.advance(1000)
  await Promise.all([closing, ...late])
  // What waited for the file has its turn now.
  await new Promise(setImmediate)
  database = await openDatabase(join(root, 'network'), { clock })
  expect(await keysOf(database)).toEqual(['a'])
})

it('continues rows, updates and results of statements', async () => {
  const add = (hash: number) =>
    database.transaction((queries) =>
      queries
        .insertInto('pending_transactions')
        .values({ hash: new Uint8Array([hash]), sender: new Uint8Array([1]), raw: new Uint8Array([2, 3]) })
        .returning('arrival')
        .execute(),
    )
  await add(7)
  await add(8)
  await database.transaction((queries) => queries.deleteFrom('pending_transactions').where('arrival', '=', 1).execute())
  const reopened = await openDatabase(kill())
  const rows = await reopened.queries.selectFrom('pending_transactions').selectAll().execute()
  await reopened.close()
  expect(rows.map(({ arrival, hash }) => [arrival, Buffer.from(hash as Uint8Array)])).toEqual([[2, Buffer.from([8])]])
})

it('refuses writes outside of a transaction', async () => {
  await expect(save(database.queries, 'a')).rejects.toThrow('only a transaction may write')
})
