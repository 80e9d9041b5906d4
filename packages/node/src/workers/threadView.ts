import type { Account, Address, Hex, StateView, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import type { Keys, LiveAnswer, Values } from './messages.ts'

/** Maximum number of states of which values are kept, of values of each, and of bytes of code of all. */
const stateLimit = 8
const valueLimit = 100_000
const codeLimit = 16 << 20

/** How long a pass may be that is thrown away when something is missing. Others ask for it. */
const shortMs = 2

/** What is known of one state. */
class KnownState {
  readonly identity = {}
  readonly accounts = new Map<Address, Account>()
  readonly slots = new Map<Address, Map<Word, bigint>>()
  readonly blockHashes = new Map<bigint, Word>()
  size = 0
}

/** What a thread knows of the states that it ran on. */
export class KnownStates {
  readonly #states = new Map<number, KnownState>()
  #codes = new Map<Word, Uint8Array>()
  #codeBytes = 0

  /** One that has grown too large is forgotten: runs that use it keep it. */
  at(view: number): KnownState {
    const known = this.#states.get(view)
    const state = known && known.size < valueLimit ? known : new KnownState()
    this.#states.delete(view)
    this.#states.set(view, state)
    for (const oldest of this.#states.keys()) {
      if (this.#states.size <= stateLimit) break
      this.#states.delete(oldest)
    }
    return state
  }

  /** The identity of a state that is known. */
  identity(view: number): object | undefined {
    return this.#states.get(view)?.identity
  }

  code(hash: Word): Uint8Array | undefined {
    return this.#codes.get(hash)
  }

  keep(state: KnownState, { accounts, codes, slots, blockHashes }: Values): void {
    state.size += accounts.length + slots.length + blockHashes.length
    for (const [address, account] of accounts) state.accounts.set(address, account)
    for (const [address, slot, value] of slots) {
      const known = state.slots.get(address)
      if (known) known.set(slot, value)
      else state.slots.set(address, new Map([[slot, value]]))
    }
    for (const [number, hash] of blockHashes) state.blockHashes.set(number, hash)
    for (const [hash, code] of codes) this.#keepCode(hash, code)
  }

  #keepCode(hash: Word, code: Uint8Array): void {
    if (this.#codes.has(hash)) return
    this.#codeBytes += code.length
    if (this.#codeBytes > codeLimit) {
      // Runs go on with what they have read.
      this.#codes = new Map()
      this.#codeBytes = code.length
    }
    this.#codes.set(hash, code)
  }
}

/** How a run asks for values. */
export type Asking = {
  /** What is in the memory of the network; the thread sleeps until it is there. */
  now(keys: Keys): Values
  /** The same, while others have their turn. */
  need(keys: Keys): Promise<Values>
  /** Loads what is not in memory too. */
  load(keys: Keys): Promise<Values>
}

/** The state of a run in a thread. */
export class ThreadView implements StateView {
  readonly identity: object
  /** Whether what is unknown is asked for at once. Otherwise it is missing, if the pass has just begun. */
  asksNow = false
  #begunAt = 0
  #isMissing = false
  readonly #state: KnownState
  readonly #states: KnownStates
  readonly #asking: Asking
  /** Only of this run: they can be long. */
  readonly #liveAnswers = new Map<string, LiveAnswer>()

  constructor(states: KnownStates, view: number, asking: Asking) {
    this.#state = states.at(view)
    this.identity = this.#state.identity
    this.#states = states
    this.#asking = asking
  }

  /** Begins a pass. */
  begin(): void {
    this.#begunAt = performance.now()
    this.#isMissing = false
  }

  account(address: Address): Account | undefined {
    const read = () => this.#state.accounts.get(address)
    return read() ?? this.#askNow({ accounts: [address] }, read)
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    if (codeHash === emptyCodeHash) return new Uint8Array()
    const read = () => this.#states.code(codeHash)
    return read() ?? this.#askNow({ codes: [address] }, read)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    const read = () => this.#state.slots.get(address)?.get(slot)
    return read() ?? this.#askNow({ slots: [[address, slot]] }, read)
  }

  blockHash(number: bigint): Word | undefined {
    const read = () => this.#state.blockHashes.get(number)
    return read() ?? this.#askNow({ blockHashes: [number] }, read)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    const read = () => this.#liveAnswers.get(address + input)
    return read() ?? this.#askNow({ calls: [[address, input]] }, read)
  }

  keep(values: Values): void {
    this.#states.keep(this.#state, values)
    for (const [address, input, answer] of values.calls) this.#liveAnswers.set(address + input, answer)
  }

  /** Takes what the network has in memory. False if it has none of it. */
  async fill(keys: Keys): Promise<boolean> {
    const values = await this.#asking.need(keys)
    this.keep(values)
    return Object.values(values).some(({ length }) => length > 0)
  }

  async load(keys: Keys): Promise<void> {
    this.keep(await this.#asking.load(keys))
  }

  #askNow<T>(keys: Keys, read: () => T | undefined): T | undefined {
    if (!this.asksNow && (this.#isMissing || performance.now() - this.#begunAt < shortMs)) {
      this.#isMissing = true
      return undefined
    }
    this.keep(this.#asking.now(keys))
    return read()
  }
}
