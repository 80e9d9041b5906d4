import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@understudy/evm'
import { cpuTime } from '@understudy/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { wordFromBigint } from '../shared/hex.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/openDatabase.ts'
import { saveVersions } from '../storage/records/state/localState.ts'
import { LocalState } from './localState.ts'

const busy: Address = `0x${'aa'.repeat(20)}`
const calm: Address = `0x${'bb'.repeat(20)}`
const other: Address = `0x${'cc'.repeat(20)}`
const slot = wordFromBigint(7n)

let directory: string
let database: Database

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-local-'))
  database = await openDatabase(directory)
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true })
})

const paid = (address: Address, balance: bigint, slots: [Address, bigint][] = []) => ({
  accounts: new Map([[address, { balance, nonce: undefined, codeHash: undefined, storageSeq: undefined }]]),
  slots: new Map(slots.map(([of, value]) => [of, new Map([[slot, value]])])),
  codes: new Map(),
})
const save = (changes: Parameters<typeof saveVersions>[1]) =>
  database.transaction((transaction) => saveVersions(transaction, changes))

it('knows the slots of an account that was forgotten while it was changed', async () => {
  await save([{ number: 1, versions: paid(busy, 1n, [[busy, 70n]]) }])
  const local = new LocalState(database, 1)
  await local.load([busy], new Map())
  local.clear()
  local.advance(2, paid(busy, 2n), new Set())
  await save([{ number: 2, versions: paid(busy, 2n) }])
  await local.load([busy], new Map([[busy, new Set([slot])]]))
  const account = local.account(busy)
  expect(account && local.slot(account, slot)).toEqual({ known: true, value: 70n })
})

it('has what later changes replaced again after a revert, and reads nothing for it', async () => {
  const one = wordFromBigint(1n)
  const change = (number: number, balance: bigint, slots: [typeof slot, bigint][]) => ({
    number,
    versions: { ...paid(busy, balance), slots: new Map([[busy, new Map(slots)]]) },
  })
  const [first, second, third] = [
    change(1, 1n, [[slot, 70n]]),
    change(2, 2n, [[one, 5n]]),
    change(3, 3n, [[slot, 71n]]),
  ]
  await save([first])
  const local = new LocalState(database, 1)
  await local.load([busy, calm], new Map([[busy, new Set([slot, one])]]))
  const state = () => {
    const account = local.account(busy)
    return account && [account.balance, ...[slot, one].map((key) => local.slot(account, key).value)]
  }
  for (const { number, versions } of [second, third]) local.advance(number, versions, new Set())
  local.advance(4, paid(calm, 9n, [[calm, 90n]]), new Set([calm]))
  expect(state()).toEqual([3n, 71n, 5n])
  expect(local.revert(3, 5)).toEqual({
    accounts: new Set([calm]),
    cleared: new Set([calm]),
    slots: new Map([[calm, new Set([slot])]]),
  })
  expect(local.account(calm)).toMatchObject({ balance: undefined, slots: new Map() })
  expect(state()).toEqual([3n, 71n, 5n])
  expect(local.revert(2, 6)?.slots).toEqual(new Map([[busy, new Set([slot])]]))
  expect(state()).toEqual([2n, 70n, 5n])
  local.advance(7, third.versions, new Set([busy]))
  expect(state()).toEqual([3n, 71n, undefined])
  expect(local.revert(1, 8)).toBeDefined()
  expect(state()).toEqual([1n, 70n, undefined])
  // Before what is remembered.
  local.advance(9, third.versions, new Set())
  local.forgetUndo()
  expect(local.revert(1, 10)).toBeUndefined()
  expect(state()).toBeUndefined()
})

it('reads an account that has a version for each block as quickly as one that has few', async () => {
  const count = 60_000
  const number = (index: number) => ({ number: index, versions: paid(busy, BigInt(index), [[busy, BigInt(index)]]) })
  await save(Array.from({ length: count }, (_, index) => number(index)))
  await save([calm, other].map((address, index) => ({ number: count + index, versions: paid(address, 1n) })))
  const timeOf = async (addresses: Address[]) => {
    const times: number[] = []
    for (let round = 0; round < 15; round++) {
      const local = new LocalState(database, count)
      const before = cpuTime()
      await local.load(addresses, new Map(addresses.map((address) => [address, new Set([slot])])))
      times.push(cpuTime() - before)
    }
    return times.sort((a, b) => a - b)[7] as number
  }
  expect(await timeOf([busy, calm])).toBeLessThan(15 * (await timeOf([other, calm])))
})
