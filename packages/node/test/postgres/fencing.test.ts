import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import type { SharedDatabase } from '../../src/storage/database.ts'
import { openSharedDatabase } from '../../src/storage/openDatabase.ts'
import { giveLeaseUp, loadLease, renewLease, takeLease } from '../../src/storage/records/lease.ts'
import { loadChangedTables, loadRevision } from '../../src/storage/records/revisions.ts'
import { loadSetting, saveSetting } from '../../src/storage/records/settings.ts'
import { eventually } from '../startNetwork.ts'
import { dropTestLocation, requireTestLocation, type TestLocation } from '../testDatabase.ts'

let location: TestLocation
let first: SharedDatabase
let second: SharedDatabase
beforeEach(async () => {
  location = requireTestLocation()
  first = await openSharedDatabase(location, { clock: systemClock })
  second = await openSharedDatabase(location, { clock: systemClock })
})
afterEach(async () => {
  await first.close()
  await second.close()
  await dropTestLocation(location)
})

const save = (database: SharedDatabase, value: string) =>
  database.transaction((transaction) => saveSetting(transaction, 'who', value))

describe('a network that two processes have open', () => {
  it('is written by no node until one begins to', async () => {
    await expect(save(first, 'first')).rejects.toMatchObject({ kind: 'NETWORK_TAKEN_OVER' })
    await first.beginWriting()
    await save(first, 'first')
    expect(await loadSetting(second.queries, 'who')).toBe('first')
    await expect(save(second, 'second')).rejects.toMatchObject({ kind: 'NETWORK_TAKEN_OVER' })
  })

  it('is written only by the one that began last, whatever the other still believes', async () => {
    await first.beginWriting()
    await second.beginWriting()
    await expect(save(first, 'first')).rejects.toMatchObject({
      kind: expect.stringMatching(/NETWORK_TAKEN_OVER|DATABASE_/),
    })
    await save(second, 'second')
    expect(await loadSetting(first.queries, 'who')).toBe('second')
  })

  it('keeps nothing of a transaction that was open when another one took over', async () => {
    await first.beginWriting()
    await save(first, 'before')
    const open = first.transaction(async (transaction) => {
      await saveSetting(transaction, 'who', 'first')
      await second.beginWriting()
      await save(second, 'second')
    })
    await expect(open).rejects.toThrow()
    expect(await loadSetting(first.queries, 'who')).toBe('second')
  })

  it('tells by a revision which tables changed, and listeners that something did', async () => {
    await first.beginWriting()
    let notices = 0
    const unlisten = await second.listen(() => {
      notices++
    })
    // That of the beginning: something may have been missed before.
    expect(notices).toBe(1)
    const before = await loadRevision(second.queries)
    await save(first, 'first')
    expect(await loadRevision(second.queries)).toBe(before + 1)
    expect(await loadChangedTables(second.queries, before)).toEqual(new Set())
    await first.transaction((transaction) =>
      transaction
        .insertInto('impersonated_accounts')
        .values({ address: new Uint8Array(20) })
        .execute(),
    )
    expect(await loadChangedTables(second.queries, before + 1)).toEqual(new Set(['impersonated_accounts']))
    expect(await loadRevision(second.queries)).toBe(first.commits())
    await eventually(
      async () => notices,
      (count) => count === 3,
    )
    await unlisten()
  })
})

describe('the lease', () => {
  const take = (database: SharedDatabase, holder: string, forMs = 60_000) =>
    takeLease(database.sideConnection, { holder, secret: 'secret', forMs })

  it('goes to one of those who want it at the same time', async () => {
    const terms = await Promise.all([take(first, 'first'), take(second, 'second'), take(first, 'third')])
    expect(terms.filter((term) => term !== undefined)).toEqual([1])
  })

  it('goes to another one when it ran out by the clock of the database, or was given up', async () => {
    expect(await take(first, 'first', 0)).toBe(1)
    expect(await take(second, 'second')).toBe(2)
    expect(await take(first, 'first')).toBeUndefined()
    await giveLeaseUp(second.sideConnection, 2)
    expect(await take(first, 'first')).toBe(3)
  })

  it('is extended for its holder only', async () => {
    await take(first, 'first', 1_000)
    expect(await renewLease(first.sideConnection, { term: 1, url: 'http://first', forMs: 90_000 })).toBe(true)
    expect(await renewLease(second.sideConnection, { term: 0, url: 'http://second', forMs: 90_000 })).toBe(false)
    const { leftMs, ...lease } = await loadLease(second.sideConnection)
    expect(lease).toEqual({ term: 1, holder: 'first', url: 'http://first', secret: 'secret' })
    expect(leftMs).toBeGreaterThan(60_000)
  })
})
