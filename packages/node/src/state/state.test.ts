import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address, StateDiff, Word } from '@understudy/evm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blockHashes } from '../ethereum/systemRings.ts'
import { systemClock } from '../shared/clock.ts'
import { wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Database } from '../storage/database.ts'
import { openDatabase } from '../storage/openDatabase.ts'
import { type BaseState, createBaseState } from '../upstream/cache/baseState.ts'
import type { Base, StateReader, WantedState } from '../upstream/wantedState.ts'
import { emptyDiff, nextCommitment } from './diff.ts'
import { createState, type State } from './state.ts'
import { loadAccount, loadCode, loadSlots, loadStorage } from './view.ts'

const alice: Address = `0x${'aa'.repeat(20)}`
const token: Address = `0x${'bb'.repeat(20)}`
const slot = wordFromBigint(7n)
const code = new Uint8Array([0x60, 0x00])
const engine = { advance() {}, retreat() {} }
const baseAt = (number: bigint): Base => ({ number, hash: wordFromBigint(number) })

/** An upstream where, at block n, every balance is n ether-less wei, every nonce 5 and every slot n * 100. */
function countingUpstream() {
  const requests: WantedState[] = []
  const states = new Map<Word, BaseState>()
  const read: StateReader = async ({ number: block }, wanted) => {
    requests.push(wanted)
    const slots = new Map<Address, Map<Word, bigint>>()
    for (const [address, key] of wanted.slots)
      slots.set(address, (slots.get(address) ?? new Map<Word, bigint>()).set(key, block * 100n))
    return {
      accounts: new Map(wanted.accounts.map((address) => [address, { balance: block, nonce: 5n, code }])),
      slots,
      blockHashes: new Map(),
    }
  }
  const baseStates = ({ number, hash }: Base) => {
    const state = states.get(hash) ?? createBaseState({ number, hash }, read)
    states.set(hash, state)
    return state
  }
  return { requests, baseStates }
}

describe('the state', () => {
  let directory: string
  let database: Database
  let upstream: ReturnType<typeof countingUpstream>
  let state: State

  const open = (base = baseAt(10n)) =>
    createState(
      { isFork: true, origin: 10n, base, live: base },
      {
        database,
        baseStates: upstream.baseStates,
        engine,
        clock: systemClock,
        observeCode: async () => async () => {},
      },
    )

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'understudy-state-'))
    database = await openDatabase(directory)
    upstream = countingUpstream()
    state = await open()
  })
  afterEach(async () => {
    await database.close()
    rmSync(directory, { recursive: true })
  })

  const slotsDiff = (value: bigint): StateDiff => ({
    ...emptyDiff(),
    slots: new Map([[token, new Map([[slot, value]])]]),
  })
  const commit = (diff: StateDiff, base = baseAt(10n)) =>
    state.exclusive(() => state.commit([{ diff, commitment: nextCommitment(state.commitment(), diff) }], { base }))

  it('commits to every write, but not to what the protocol writes in each block', () => {
    const before = state.commitment()
    const written = nextCommitment(before, slotsDiff(1n))
    expect(written).not.toBe(before)
    const ofBlock = { ...emptyDiff(), slots: new Map([[blockHashes, new Map([[slot, 5n]])]]) }
    expect(nextCommitment(before, ofBlock)).toBe(before)
    expect(
      nextCommitment(before, { ...slotsDiff(1n), slots: new Map([...slotsDiff(1n).slots, ...ofBlock.slots]) }),
    ).toBe(written)
  })

  it('reads what nothing local touched from upstream, in one round trip', async () => {
    const view = state.latest()
    await view.load({ accounts: [alice], codes: [token], slots: [[token, slot]], blockHashes: [] })
    expect(upstream.requests).toHaveLength(1)
    expect(view.account(alice)).toEqual({ balance: 10n, nonce: 5n, codeHash: keccak(code) })
    expect(view.storage(token, slot)).toBe(1000n)
  })

  it('freezes one field, and lets the others follow upstream', async () => {
    await state.setBalances([alice], 99n)
    await commit(emptyDiff(), baseAt(11n))
    await state.setNonce(token, 1n)
    expect(await loadAccount(state.latest(), alice)).toEqual({ balance: 99n, nonce: 5n, codeHash: keccak(code) })
    expect(await loadAccount(state.latest(), token)).toEqual({ balance: 11n, nonce: 1n, codeHash: keccak(code) })
  })

  it('freezes one slot, and lets the others follow upstream', async () => {
    await state.setStorageAt(token, slot, 1n)
    await commit(emptyDiff(), baseAt(12n))
    expect(await loadStorage(state.latest(), token, slot)).toBe(1n)
    expect(await loadStorage(state.latest(), token, wordFromBigint(8n))).toBe(1200n)
  })

  it('answers an old view as it was, after the state moved on', async () => {
    await commit(slotsDiff(1n))
    const before = state.latest()
    await commit(slotsDiff(2n), baseAt(11n))
    expect(await loadStorage(before, token, slot)).toBe(1n)
    expect(await loadStorage(before, alice, slot)).toBe(1000n)
    expect(await loadStorage(state.latest(), token, slot)).toBe(2n)
  })

  it('reads all slots of an old view, although the state moved on while they were loaded', async () => {
    await commit(slotsDiff(1n))
    const before = state.latest()
    const other = wordFromBigint(8n)
    const slots: [Address, Word][] = [
      [token, slot],
      [token, other],
    ]
    const loading = before.load({ accounts: [], codes: [], slots, blockHashes: [] })
    await commit(slotsDiff(2n), baseAt(11n))
    await loading
    const reading = loadSlots(before, token, [slot, other])
    await commit(slotsDiff(3n), baseAt(12n))
    expect(await reading).toEqual(
      new Map([
        [slot, 1n],
        [other, 1000n],
      ]),
    )
  })

  it('reads zero from storage that was emptied, until it is written again', async () => {
    await commit(slotsDiff(1n))
    const before = state.seq()
    await commit({ ...emptyDiff(), cleared: new Set([token]) })
    expect(await loadStorage(state.latest(), token, slot)).toBe(0n)
    expect(await loadStorage(state.latest(), token, wordFromBigint(9n))).toBe(0n)
    await state.setStorageAt(token, slot, 3n)
    expect(await loadStorage(state.latest(), token, slot)).toBe(3n)
    expect(await loadStorage(await state.at(before, baseAt(10n), undefined), token, slot)).toBe(1n)
  })

  it('is the same after it was closed and opened', async () => {
    await state.setCode(alice, new Uint8Array([1, 2, 3]))
    await state.addBalances([alice], 5n)
    await commit({ ...emptyDiff(), cleared: new Set([token]) })
    await commit(slotsDiff(4n))
    const { seq, commitment } = { seq: state.seq(), commitment: state.commitment() }
    await database.close()
    database = await openDatabase(directory)
    state = await open()
    expect({ seq: state.seq(), commitment: state.commitment() }).toEqual({ seq, commitment })
    expect(await loadCode(state.latest(), alice)).toEqual(new Uint8Array([1, 2, 3]))
    expect((await loadAccount(state.latest(), alice)).balance).toBe(15n)
    expect(await loadStorage(state.latest(), token, slot)).toBe(4n)
    expect(await loadStorage(state.latest(), token, wordFromBigint(1n))).toBe(0n)
  })

  it('goes back to a point and forgets what came after', async () => {
    await commit(slotsDiff(1n))
    const point = { seq: state.seq(), base: baseAt(10n), commitment: state.commitment() }
    const kept = state.latest()
    await commit(slotsDiff(2n))
    await state.setBalances([alice], 1n)
    await state.exclusive(() => state.revert(point, { save: async () => {} }))
    expect(await loadStorage(state.latest(), token, slot)).toBe(1n)
    expect((await loadAccount(state.latest(), alice)).balance).toBe(10n)
    await commit(slotsDiff(3n))
    expect(await loadStorage(kept, token, slot)).toBe(1n)
    expect(await loadStorage(state.latest(), token, slot)).toBe(3n)
  })

  it('goes back without loading again what was not changed since', async () => {
    const other: Address = `0x${'cc'.repeat(20)}`
    await commit(slotsDiff(1n))
    await state.setBalances([alice], 7n)
    for (const address of [alice, token, other]) await loadAccount(state.latest(), address)
    const point = { seq: state.seq(), base: baseAt(10n), commitment: state.commitment() }
    await state.setBalances([alice], 8n)
    await state.exclusive(() => state.revert(point, { save: async () => {} }))
    const view = state.latest()
    expect(view.storage(token, slot)).toBe(1n)
    expect(view.account(other)?.balance).toBe(10n)
    expect(view.account(alice)?.balance).toBe(7n)
    expect((await loadAccount(view, alice)).balance).toBe(7n)
    await state.setBalances([other], 9n)
    const { number, hash } = baseAt(10n)
    expect((await loadAccount(await state.at(point.seq, { number, hash }, undefined), alice)).balance).toBe(7n)
    await state.exclusive(() => state.revert({ ...point, seq: 0 }, { save: async () => {} }))
    expect(await loadStorage(state.latest(), token, slot)).toBe(1000n)
    for (const address of [alice, other]) expect((await loadAccount(state.latest(), address)).balance).toBe(10n)
  })

  it('leaves nothing of a change that could not be stored', async () => {
    const diff = slotsDiff(1n)
    const change = { diff, commitment: nextCommitment(state.commitment(), diff) }
    const failing = { base: baseAt(10n), save: () => Promise.reject(new Error('disk full')) }
    await expect(state.exclusive(() => state.commit([change], failing))).rejects.toThrow('disk full')
    expect(await loadStorage(state.latest(), token, slot)).toBe(1000n)
    expect(state.seq()).toBe(0)
  })

  it('refuses a directory that another network holds', async () => {
    await expect(openDatabase(directory)).rejects.toMatchObject({ kind: 'DATA_DIRECTORY_IN_USE' })
  })
})
