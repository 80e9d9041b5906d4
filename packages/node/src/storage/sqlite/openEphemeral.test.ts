import { afterEach, expect, it } from 'vitest'
import { isNetworkError } from '../../shared/errors.ts'
import { type EphemeralStore, openEphemeral } from './openEphemeral.ts'

let store: EphemeralStore
afterEach(() => store?.close())

const megabyte = new Uint8Array(2 ** 20).fill(7)

async function write(rows: number): Promise<void> {
  for (let row = 0; row < rows; row++)
    await store.database.transaction((queries) =>
      queries
        .insertInto('codes')
        .values({ hash: new Uint8Array(32).map(() => Math.random() * 256), code: megabyte })
        .execute(),
    )
}

it('has as much as the disk bears, in memory that is bounded', async () => {
  store = await openEphemeral()
  // SQLite's cache is full then.
  await write(80)
  const before = process.memoryUsage.rss()
  await write(200)
  expect(store.bytes()).toBeGreaterThan(280 * 2 ** 20)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20)
})

it('undoes what fails, alone, and keeps everything when it is closed and opened again', async () => {
  store = await openEphemeral()
  const { transaction, together = transaction } = store.database
  const save = (key: string, problem?: Error) =>
    together(async (queries) => {
      await queries.insertInto('settings').values({ key, value: '1' }).execute()
      if (problem) throw problem
    })
  const problem = new Error('a problem')
  const outcomes = await Promise.allSettled([save('a'), save('b', problem), save('c')])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await expect(
    transaction(async (queries) => {
      await queries.deleteFrom('settings').execute()
      throw problem
    }),
  ).rejects.toBe(problem)
  await store.database.close()
  const rows = await store.database.queries.selectFrom('settings').select('key').orderBy('key').execute()
  expect(rows.map(({ key }) => key)).toEqual(['a', 'c'])
})

it('names the directory of temporary files if it cannot be used', async () => {
  const before = process.env.TMPDIR
  process.env.TMPDIR = '/proc/none'
  const refused = await openEphemeral().catch((error) => error)
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  expect(isNetworkError(refused, 'DATA_DIRECTORY_UNUSABLE')).toBe(true)
  expect(refused.message).toContain('/proc/none')
})
