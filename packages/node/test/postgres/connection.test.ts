import { createFakeClock } from '@understudy/testkit'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { loadSetting, saveSetting } from '../../src/storage/records/settings.ts'
import { dropTestLocation, requireTestLocation, type TestLocation } from '../testDatabase.ts'
import { type CutProxy, startCutProxy } from './cutProxy.ts'

let location: TestLocation
let proxy: CutProxy
let database: Database
beforeEach(async () => {
  location = requireTestLocation()
  proxy = await startCutProxy(location.url)
  database = await openDatabase({ ...location, url: proxy.url })
})
afterEach(async () => {
  proxy.open()
  await database.close()
  await proxy.stop()
  await dropTestLocation(location)
})

const save = (value: number) => database.transaction((queries) => saveSetting(queries, 'value', value))
const load = () => loadSetting<number>(database.queries, 'value')
const asAdministrator = async (text: string) => {
  const client = new pg.Client(location.url)
  await client.connect()
  await client.query(text)
  await client.end()
}

describe('a transaction', () => {
  it('is there when its commit was done and the answer to it was lost', async () => {
    await save(1)
    proxy.cutNext('before the commit is answered')
    await save(2)
    expect(await load()).toBe(2)
    await save(3)
    expect(await load()).toBe(3)
  })

  it('is not there when the connection was lost before its commit, and says so', async () => {
    await save(1)
    proxy.cutNext('before the commit is sent')
    await expect(save(2)).rejects.toMatchObject({ kind: 'DATABASE_UNAVAILABLE', code: -32002 })
    expect(await load()).toBe(1)
    await save(3)
    expect(await load()).toBe(3)
  })

  it('fails when one of its writes does, whichever way it is sent, and leaves nothing', async () => {
    await save(1)
    const failing = database.transaction(async (queries) => {
      await saveSetting(queries, 'value', 2)
      await queries
        .insertInto('impersonated_accounts')
        .values({ address: Uint8Array.of(1) })
        .execute()
      await queries
        .insertInto('impersonated_accounts')
        .values({ address: Uint8Array.of(1) })
        .execute()
    })
    await expect(failing).rejects.toThrow('duplicate key value')
    expect(await load()).toBe(1)
    await save(3)
    expect(await load()).toBe(3)
  })

  it('throws what its task throws, and leaves nothing', async () => {
    const failing = database.transaction(async (queries) => {
      await saveSetting(queries, 'value', 2)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await load()).toBeUndefined()
  })

  it('waits for the one before it', async () => {
    const order: string[] = []
    const first = database.transaction(async (queries) => {
      await saveSetting(queries, 'value', 1)
      order.push('first')
      await loadSetting(queries, 'value')
      order.push('first')
    })
    const second = database.transaction(async (queries) => {
      order.push('second')
      expect(await loadSetting(queries, 'value')).toBe(1)
    })
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'first', 'second'])
  })

  it('is what may write: nothing is written beside it', async () => {
    await expect(saveSetting(database.queries, 'value', 1)).rejects.toThrow('only a transaction may write')
  })
})

describe('a database that goes away', () => {
  it('is told of in each request, and used again when it is back', async () => {
    await save(1)
    proxy.close()
    await expect(load()).rejects.toMatchObject({ kind: 'DATABASE_UNAVAILABLE', code: -32002 })
    await expect(save(2)).rejects.toMatchObject({ kind: 'DATABASE_UNAVAILABLE', code: -32002 })
    proxy.open()
    expect(await load()).toBe(1)
    await save(3)
    expect(await load()).toBe(3)
  })

  it('ends every connection without harm', async () => {
    await save(1)
    await load()
    await asAdministrator(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'understudy ${location.network}'`,
    )
    expect(await load()).toBe(1)
    await save(2)
    expect(await load()).toBe(2)
  })
})

describe('a process that may write no more', () => {
  it('is told when another one took the network over', async () => {
    await save(1)
    await asAdministrator(`update ${location.network}.writer set fence = fence + 1`)
    await expect(save(2)).rejects.toMatchObject({ kind: 'NETWORK_TAKEN_OVER' })
    expect(await database.failed).toMatchObject({ kind: 'NETWORK_TAKEN_OVER' })
    expect(await load()).toBe(1)
  })
})

describe('a commit whose outcome is unknown', () => {
  /** Loses the connection over a commit, and does not come back before it is given up. */
  const giveUp = async (cut: 'before the commit is sent' | 'before the commit is answered') => {
    await database.close()
    const clock = createFakeClock()
    clock.skipUpTo(1000)
    database = await openDatabase({ ...location, url: proxy.url }, { clock })
    await save(1)
    proxy.cutNext(cut, 'and stays away')
    await expect(save(2)).rejects.toMatchObject({ kind: 'DATABASE_OUTCOME_UNKNOWN' })
    await expect(save(3)).rejects.toMatchObject({ kind: 'DATABASE_UNAVAILABLE' })
    proxy.open()
  }

  it('ends the process when it turns out to be stored, for memory is behind it', async () => {
    await giveUp('before the commit is answered')
    await expect(save(3)).rejects.toMatchObject({ kind: 'DATABASE_AHEAD' })
    expect(await database.failed).toMatchObject({ kind: 'DATABASE_AHEAD' })
    expect(await load()).toBe(2)
  })

  it('does no harm when it turns out not to be', async () => {
    await giveUp('before the commit is sent')
    await save(3)
    expect(await load()).toBe(3)
  })
})
