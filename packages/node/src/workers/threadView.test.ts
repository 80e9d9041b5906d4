import type { Account, Address, StateView, Word } from '@understudy/evm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { wordFromBigint } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Keys, Values } from './messages.ts'
import { KnownStates, ThreadView } from './threadView.ts'
import { valuesOf } from './values.ts'

const [vault, token]: [Address, Address] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`]
const slot = wordFromBigint(7n)
/** A slot whose value is known to be zero. */
const empty = wordFromBigint(9n)
const code = Uint8Array.of(1, 2, 3)
const account: Account = { balance: 5n, nonce: 1n, codeHash: keccak(code) }
const answer = { output: Uint8Array.of(9) }

/** The memory of a network, which knows only the vault. */
const memory: StateView = {
  identity: {},
  account: (address: Address) => (address === vault ? account : undefined),
  // A part of a larger buffer.
  code: (address: Address) => (address === vault ? new Uint8Array([0, ...code]).subarray(1) : undefined),
  storage: (address: Address, asked: Word) =>
    address !== vault ? undefined : asked === slot ? 70n : asked === empty ? 0n : undefined,
  blockHash: (number: bigint) => (number === 4n ? slot : undefined),
  liveAnswer: (address: Address) => (address === vault ? answer : undefined),
} as StateView

const keys: Keys = {
  accounts: [vault, token],
  codes: [vault, token],
  slots: [
    [vault, slot],
    [vault, wordFromBigint(8n)],
    [vault, empty],
    [token, slot],
  ],
  blockHashes: [4n, 5n],
  calls: [
    [vault, '0x12'],
    [token, '0x12'],
  ],
}
const nothing: Values = { accounts: [], codes: [], slots: [], blockHashes: [], calls: [] }

describe('the values for a thread', () => {
  it('are those that the network has in memory, of what was asked for', () => {
    expect(valuesOf(memory, keys)).toEqual({
      accounts: [[vault, account]],
      codes: [[account.codeHash, code]],
      slots: [
        [vault, slot, 70n],
        [vault, empty, 0n],
      ],
      blockHashes: [[4n, slot]],
      calls: [[vault, '0x12', answer]],
    })
    expect(valuesOf(memory, {})).toEqual(nothing)
    expect(valuesOf(undefined, keys)).toEqual(nothing)
  })

  it('have code without the buffer around it, all of which would be sent', () => {
    const [[, sent]] = valuesOf(memory, { codes: [vault] }).codes as [[Word, Uint8Array]]
    expect(sent.buffer.byteLength).toBe(code.length)
  })
})

describe('the view of a run in a thread', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** `asked`: what the network was asked for, with how. */
  function view(states = new KnownStates(), number = 1) {
    const asked: [string, Keys][] = []
    const ask = (how: string) => (wanted: Keys) => {
      asked.push([how, wanted])
      return valuesOf(memory, wanted)
    }
    const [need, load] = [ask('need'), ask('load')]
    const asking = { now: ask('now'), need: async (of: Keys) => need(of), load: async (of: Keys) => load(of) }
    return { asked, view: new ThreadView(states, number, asking) }
  }
  const read = (of: ThreadView) => [
    of.account(vault),
    of.code(vault, account.codeHash),
    of.storage(vault, slot),
    of.blockHash(4n),
    of.liveAnswer(vault, '0x12'),
  ]
  const known = [account, code, 70n, slot, answer]

  it('misses what is unknown in a short pass, and has it once it was filled', async () => {
    const { asked, view: run } = view()
    run.begin()
    expect(read(run)).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(asked).toEqual([])
    expect(await run.fill(keys)).toBe(true)
    expect(read(run)).toEqual(known)
    expect(asked).toEqual([['need', keys]])
  })

  it('says when the network has none of it, and loads it', async () => {
    const { asked, view: run } = view()
    expect(await run.fill({ accounts: [token], slots: [[token, slot]] })).toBe(false)
    await run.load(keys)
    expect(asked.at(-1)).toEqual(['load', keys])
    run.begin()
    expect(read(run)).toEqual(known)
  })

  it('asks at once for each value when it shall, and never for the same twice', () => {
    const { asked, view: run } = view()
    run.asksNow = true
    expect(read(run)).toEqual(known)
    expect(read(run)).toEqual(known)
    expect(asked).toEqual([
      ['now', { accounts: [vault] }],
      ['now', { codes: [vault] }],
      ['now', { slots: [[vault, slot]] }],
      ['now', { blockHashes: [4n] }],
      ['now', { calls: [[vault, '0x12']] }],
    ])
    expect(run.account(token)).toBeUndefined()
  })

  it('asks at once in a pass that has taken long, unless it has missed something before', async () => {
    const { asked, view: run } = view()
    run.begin()
    vi.advanceTimersByTime(3)
    expect(run.account(vault)).toEqual(account)
    expect(asked).toEqual([['now', { accounts: [vault] }]])
    run.begin()
    vi.advanceTimersByTime(1)
    expect(run.blockHash(4n)).toBeUndefined()
    vi.advanceTimersByTime(3)
    expect(run.storage(vault, slot)).toBeUndefined()
    expect(asked).toHaveLength(1)
    run.begin()
    vi.advanceTimersByTime(3)
    expect(run.storage(vault, slot)).toBe(70n)
    run.begin()
    run.asksNow = true
    expect(run.account(token)).toBeUndefined()
    expect(asked).toHaveLength(3)
  })

  it('makes no request for the code of an account without any', () => {
    const { asked, view: run } = view()
    run.asksNow = true
    expect(run.code(token, emptyCodeHash)).toEqual(new Uint8Array())
    expect(asked).toEqual([])
  })

  it('shares what it knows with other runs on the same state, but for answers of the live chain', async () => {
    const states = new KnownStates()
    await view(states).view.fill(keys)
    const { view: same } = view(states)
    same.begin()
    expect(read(same)).toEqual([...known.slice(0, 4), undefined])
    const { view: other } = view(states, 2)
    other.begin()
    // Code is known by its hash, in whatever state.
    expect(read(other)).toEqual([undefined, code, undefined, undefined, undefined])
    expect(same.identity).not.toBe(other.identity)
  })
})

describe('the states that a thread knows', () => {
  it('are the eight that it used last', () => {
    const states = new KnownStates()
    const first = states.at(0)
    for (let number = 1; number < 8; number++) states.at(number)
    expect(states.at(0)).toBe(first)
    states.at(8)
    expect(states.identity(1)).toBeUndefined()
    expect(states.identity(0)).toBe(first.identity)
    expect(states.identity(2)).toBeDefined()
  })

  it('forget a state of 100 000 values, and runs that use it keep it', () => {
    const states = new KnownStates()
    const large = states.at(1)
    const slots = Array.from({ length: 99_999 }, () => [vault, slot, 1n] as const)
    states.keep(large, { ...nothing, slots })
    expect(states.at(1)).toBe(large)
    states.keep(large, { ...nothing, accounts: [[vault, account]] })
    expect(states.at(1)).not.toBe(large)
    expect(large.slots.get(vault)?.get(slot)).toBe(1n)
  })

  it('keep at most 16 MB of code, each once', () => {
    const states = new KnownStates()
    const state = states.at(1)
    const keep = (hash: Word, length: number) =>
      states.keep(state, { ...nothing, codes: [[hash, new Uint8Array(length)]] })
    const [one, two, three] = [1n, 2n, 3n].map(wordFromBigint) as [Word, Word, Word]
    keep(one, 15 << 20)
    for (let times = 0; times < 3; times++) keep(two, 1 << 20)
    expect([one, two].map((hash) => states.code(hash)?.length)).toEqual([15 << 20, 1 << 20])
    keep(three, 1)
    expect([one, two, three].map((hash) => states.code(hash)?.length)).toEqual([undefined, undefined, 1])
    keep(one, 15 << 20)
    expect(states.code(three)?.length).toBe(1)
  })
})
