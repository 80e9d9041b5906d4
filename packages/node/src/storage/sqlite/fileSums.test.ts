import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from '@understudy/testkit'
import LibsqlDatabase from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../database.ts'
import { openDatabase } from '../openDatabase.ts'
import { saveSetting } from '../records/settings.ts'

let root: string
/** Of a network that was stopped, and of one that was killed. */
let stopped: string
let killed: string
let copies = 0

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'understudy-sums-'))
  stopped = join(root, 'stopped')
  killed = join(root, 'killed')
  const database = await openDatabase(stopped)
  await database.transaction(async (queries) => {
    for (let index = 0; index < 200; index++) await saveSetting(queries, `setting ${index}`, 'x'.repeat(500))
    for (let index = 0; index < 50; index++)
      await queries
        .insertInto('upstream_codes')
        .values({ hash: Buffer.alloc(32, index), code: Buffer.alloc(300, index) })
        .execute()
  })
  expect(existsSync(join(stopped, 'network.sums'))).toBe(false)
  cpSync(stopped, killed, { recursive: true })
  await database.close()
  expect(existsSync(join(stopped, 'network.sums'))).toBe(true)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fileOf = (directory: string) => join(directory, 'network.sqlite')

/** A copy of a directory, of which a file was changed. */
function copyOf(directory: string, change: (bytes: Buffer) => Buffer, name = 'network.sqlite'): string {
  const copy = join(root, `copy-${copies++}`)
  cpSync(directory, copy, { recursive: true })
  const path = join(copy, name)
  writeFileSync(path, change(readFileSync(path)))
  return copy
}
const flipped = (at: number) => (bytes: Buffer) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
  return bytes
}
const zeroed = (page: number) => (bytes: Buffer) => bytes.fill(0, (page - 1) * 4096, page * 4096)

async function withDatabase<T>(directory: string, task: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(directory)
  try {
    return await task(database)
  } finally {
    await database.close()
  }
}
const settings = (database: Database) =>
  database.queries.selectFrom('settings').selectAll().where('key', 'like', 'setting%').execute()

function pagesOf(directory: string, isCache: boolean): number[] {
  const sqlite = new LibsqlDatabase(fileOf(directory))
  const rows = sqlite.prepare('select pageno, name from dbstat').all() as { pageno: number; name: string }[]
  sqlite.close()
  return rows.filter(({ name }) => name.includes('upstream_') === isCache).map(({ pageno }) => pageno)
}

it('starts again and again on what nothing damaged', async () => {
  const copy = copyOf(stopped, (bytes) => bytes)
  for (let start = 0; start < 3; start++)
    await withDatabase(copy, async (database) => {
      expect(database.hasDamagedCache).toBe(false)
      expect(await settings(database)).toHaveLength(200)
      await database.transaction((queries) => saveSetting(queries, 'start', start))
    })
})

it('refuses a file of which any bit was changed, each time, until it is restored', async () => {
  const { length } = readFileSync(fileOf(stopped))
  const cache = new Set(pagesOf(stopped, true))
  const offsets = Array.from({ length: 60 }, (_, index) => Math.floor(((index + 0.37) * length) / 60))
  for (const at of offsets.filter((location) => !cache.has(Math.floor(location / 4096) + 1))) {
    const copy = copyOf(stopped, flipped(at))
    const damaged = new RegExp(
      `is damaged: 1 of ${length / 4096} pages of network.sqlite .* is page ${Math.floor(at / 4096) + 1}\\.`,
    )
    await expect(openDatabase(copy)).rejects.toThrow(damaged)
    await expect(openDatabase(copy)).rejects.toThrow(damaged)
    cpSync(fileOf(stopped), fileOf(copy))
    expect(await withDatabase(copy, settings)).toHaveLength(200)
    rmSync(copy, { recursive: true })
  }
})

it('refuses a file that was cut off, grew or is missing, and checksums that cannot be read', async () => {
  const cut = copyOf(stopped, (bytes) => bytes.subarray(0, bytes.length - 4096))
  const grown = copyOf(stopped, (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)]))
  const missing = copyOf(stopped, (bytes) => bytes)
  rmSync(fileOf(missing))
  for (const directory of [cut, grown, missing]) await expect(openDatabase(directory)).rejects.toThrow(/is damaged/)
  const other = copyOf(stopped, flipped(9), 'network.sums')
  await expect(openDatabase(other)).rejects.toThrow(/network.sums cannot be read/)
  truncateSync(join(other, 'network.sums'), 5)
  await expect(openDatabase(other)).rejects.toThrow(/network.sums cannot be read/)
  rmSync(join(other, 'network.sums'))
  expect(await withDatabase(other, settings)).toHaveLength(200)
})

it('tells damage of the cache alone, which can be made anew', async () => {
  for (const page of pagesOf(stopped, true)) {
    const copy = copyOf(stopped, flipped(page * 4096 - 5))
    await withDatabase(copy, async (database) => {
      expect(database.hasDamagedCache).toBe(true)
      expect(await settings(database)).toHaveLength(200)
    })
  }
})

it('refuses a table whose pages are broken after the process was killed', async () => {
  expect(
    await withDatabase(
      copyOf(killed, (bytes) => bytes),
      settings,
    ),
  ).toHaveLength(200)
  const unclean = copyOf(stopped, (bytes) => bytes)
  rmSync(join(unclean, 'network.sums'))
  const sqlite = new LibsqlDatabase(fileOf(unclean))
  const { rootpage } = sqlite.prepare("select rootpage from sqlite_schema where name = 'settings'").get() as {
    rootpage: number
  }
  sqlite.close()
  await expect(openDatabase(copyOf(unclean, zeroed(rootpage)))).rejects.toThrow(/is damaged/)
})

describe('a file whose process was killed after SQLite had written its log to it', { timeout: 60_000 }, () => {
  let directory: string
  /** As it was then, and after a change that only the log of SQLite has. */
  let written: string
  let changed: string

  beforeAll(async () => {
    directory = join(root, 'written')
    const clock = createFakeClock()
    const database = await openDatabase(directory, { clock })
    // The log is written to the file from 32 MB on.
    await database.transaction(async (queries) => {
      for (let index = 0; index < 34; index++) await saveSetting(queries, `setting ${index}`, 'x'.repeat(2 ** 20))
    })
    written = join(root, 'written-killed')
    cpSync(directory, written, { recursive: true })
    await database.transaction((queries) => saveSetting(queries, 'setting 7', 'changed'))
    clock.advance(1000)
    await database.transaction(async () => {})
    changed = join(root, 'changed-killed')
    cpSync(directory, changed, { recursive: true })
    await database.close()
  })

  const valueOf7 = (copy: string) =>
    withDatabase(copy, async (database) => {
      expect(await settings(database)).toHaveLength(34)
      return (await settings(database)).find(({ key }) => key === 'setting 7')?.value
    })
  const whole = (copy: string) => copyOf(copy, (bytes) => bytes)

  it('is opened, also again and again', async () => {
    for (const [killed, value] of [
      [written, JSON.stringify('x'.repeat(2 ** 20))],
      [changed, '"changed"'],
    ] as const) {
      const copy = whole(killed)
      for (let start = 0; start < 2; start++) expect((await valueOf7(copy)) === value).toBe(true)
      rmSync(copy, { recursive: true })
    }
  })

  it('is refused where any bit of it was changed', async () => {
    const copy = whole(written)
    const bytes = readFileSync(fileOf(copy))
    for (let location = 0; location < 8; location++) {
      const at = Math.floor(((location + 0.37) * bytes.length) / 8)
      writeFileSync(fileOf(copy), flipped(at)(Buffer.from(bytes)))
      await expect(openDatabase(copy)).rejects.toThrow(`the first is page ${Math.floor(at / 4096) + 1}.`)
    }
    writeFileSync(fileOf(copy), bytes)
    expect(await valueOf7(copy)).toHaveLength(2 ** 20 + 2)
  })

  it('is opened where a page was damaged that its log has', async () => {
    const copy = whole(changed)
    const sqlite = new LibsqlDatabase(fileOf(whole(changed)))
    const { pageno } = sqlite.prepare("select min(pageno) as pageno from dbstat where name = 'redo_log'").get() as {
      pageno: number
    }
    sqlite.close()
    writeFileSync(fileOf(copy), flipped((pageno - 1) * 4096 + 4090)(readFileSync(fileOf(copy))))
    expect(await valueOf7(copy)).toBe('"changed"')
  })

  it('is opened where the process was killed before all pages of the log were in it', async () => {
    const copy = whole(changed)
    cpSync(join(directory, 'network.sums'), join(copy, 'network.sums'))
    expect(await valueOf7(copy)).toBe('"changed"')
  })

  it('is in use while its process runs', async () => {
    const database = await openDatabase(whole(written))
    const sums = join(database.location, 'network.sums')
    const stored = readFileSync(sums)
    writeFileSync(sums, readFileSync(join(stopped, 'network.sums')))
    await expect(openDatabase(database.location)).rejects.toMatchObject({ kind: 'DATA_DIRECTORY_IN_USE' })
    writeFileSync(sums, stored)
    await database.close()
  })
})

it('refuses what comes while it closes, and opens again', async () => {
  const directory = join(root, 'busy')
  const database = await openDatabase(directory)
  const save = (value: string) => database.transaction((queries) => saveSetting(queries, 'setting', value))
  await save('0')
  const closing = database.close()
  let kept = 0
  let refusal: unknown
  for (let value = 1; refusal === undefined; value++)
    await save(`${value}`).then(
      () => {
        kept = value
      },
      (error: unknown) => {
        refusal = error
      },
    )
  expect(refusal).toMatchObject({ kind: 'NETWORK_STOPPING' })
  await closing
  expect(await withDatabase(directory, settings)).toMatchObject([{ value: JSON.stringify(`${kept}`) }])
})
