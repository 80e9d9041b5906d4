import { createHash } from 'node:crypto'
import type { Address, Message, ReadSet, Word } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import type { WantedState } from '../wantedState.ts'
import { mergeWanted, sizeOf, wantedFrom } from './wantedState.ts'

/** Maximum number of calls and functions whose keys are stored; about 100 bytes per key. */
const callLimit = 128
const functionLimit = 512
/** Larger sets are not stored. */
const callKeyLimit = 512
const functionKeyLimit = 256
/** Calls made this recently will probably be repeated at the next head. */
const recentMs = 60_000

type Call = { to: Address; wanted: WantedState; usedAt: number }
/** What every call of a function has read so far; `self` is the called address. */
type FunctionSet = { accounts: Set<string>; slots: Set<string>; digest: string }

/**
 * Learns what calls read: the same call reads the same keys, and a function reads similar keys in every contract with
 * the same code.
 */
export class LearnedSets {
  readonly #clock: Clock
  readonly #calls = new Map<string, Call>()
  readonly #functions = new Map<string, FunctionSet>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `codeHash` is that of the called address, if known. */
  expect({ to, data }: Message, codeHash: Word | undefined): WantedState | undefined {
    if (!to) return undefined
    const call = this.#calls.get(keyOf(to, digestOf(data)))
    if (call) return call.wanted
    const set = codeHash && this.#functions.get(functionKey(codeHash, data))
    return set && wantedOf(set, to)
  }

  learn({ to, data }: Message, codeHash: Word | undefined, readSet: ReadSet): void {
    if (!to || data.length < 4) return
    const digest = digestOf(data)
    const wanted = wantedFrom(readSet)
    const key = keyOf(to, digest)
    this.#calls.delete(key)
    if (sizeOf(wanted) <= callKeyLimit) this.#calls.set(key, { to, wanted, usedAt: this.#clock.now() })
    dropOldest(this.#calls, callLimit)
    if (codeHash) this.#learnFunction(functionKey(codeHash, data), setOf(wanted, to, digest))
  }

  /** Records a call that needed no learning. */
  touch({ to, data }: Message): void {
    const call = to && this.#calls.size > 0 && this.#calls.get(keyOf(to, digestOf(data)))
    if (call) call.usedAt = this.#clock.now()
  }

  /** What recent calls read, newest first, up to a limit. */
  recent(budget: number): WantedState {
    const since = this.#clock.now() - recentMs
    const calls = [...this.#calls.values()].filter(({ usedAt }) => usedAt >= since).sort((a, b) => b.usedAt - a.usedAt)
    let room = budget
    const fitting = calls.filter(({ wanted }) => {
      room -= sizeOf(wanted)
      return room >= 0
    })
    return mergeWanted(fitting.map(({ wanted }) => wanted))
  }

  /** Keys that depend on the arguments are removed once other arguments were seen. */
  #learnFunction(key: string, fresh: FunctionSet): void {
    const known = this.#functions.get(key)
    this.#functions.delete(key)
    const isOther = known !== undefined && known.digest !== fresh.digest
    const set = isOther
      ? {
          accounts: new Set([...fresh.accounts].filter((it) => known.accounts.has(it))),
          slots: new Set([...fresh.slots].filter((it) => known.slots.has(it))),
          digest: '',
        }
      : fresh
    if (set.accounts.size + set.slots.size <= functionKeyLimit) this.#functions.set(key, set)
    dropOldest(this.#functions, functionLimit)
  }
}

const self = 'self'

/** Data that is short stands for itself: hashing costs more than running a small call. */
const shortData = 256
/** So many bytes at each end stand for long data: what is mistaken for another call reads keys that it does not need. */
const endLength = 1024

function digestOf(data: Uint8Array): string {
  if (data.length > shortData)
    return createHash('sha1')
      .update(`${data.length}`)
      .update(data.subarray(0, endLength))
      .update(data.subarray(-endLength))
      .digest('base64')
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
}

const keyOf = (to: Address, digest: string) => to + digest
const functionKey = (codeHash: Word, data: Uint8Array) => codeHash + Buffer.from(data.subarray(0, 4)).toString('hex')

function setOf({ accounts, slots }: WantedState, to: Address, digest: string): FunctionSet {
  const nameOf = (address: Address) => (address === to ? self : address)
  return {
    accounts: new Set(accounts.map(nameOf)),
    slots: new Set(slots.map(([address, slot]) => `${nameOf(address)} ${slot}`)),
    digest,
  }
}

function wantedOf({ accounts, slots }: FunctionSet, to: Address): WantedState {
  const addressOf = (name: string) => (name === self ? to : (name as Address))
  return {
    accounts: [...accounts].map(addressOf),
    codes: [],
    slots: [...slots].map((key) => {
      const [name = '', slot] = key.split(' ')
      return [addressOf(name), slot as Word] as const
    }),
    blockHashes: [],
  }
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  if (map.size <= limit) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
