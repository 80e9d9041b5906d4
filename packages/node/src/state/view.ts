import type { Account, Address, Hex, StateView, Word } from '@understudy/evm'
import { emptyCodeHash, zeroWord } from '../ethereum/constants.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import type { Database } from '../storage/database.ts'
import { loadBlocks } from '../storage/records/chain/blocks.ts'
import type { BaseState, LiveAnswer } from '../upstream/cache/baseState.ts'
import type { Prefetch } from '../upstream/prefetch/prefetch.ts'
import { isEmptyWanted } from '../upstream/prefetch/wantedState.ts'
import type { WantedState } from '../upstream/wantedState.ts'
import type { FollowSet } from './followSet.ts'
import { LocalState } from './localState.ts'

export {
  isEmptyWanted,
  isLoaded,
  mergeWanted,
  notLoaded,
  wantedFrom,
  withoutKeys,
} from '../upstream/prefetch/wantedState.ts'
export type { WantedState } from '../upstream/wantedState.ts'

/** A view that can fetch missing keys in one round trip to upstream. */
export type LoadingView = StateView & {
  /** Rejects if a key cannot be fetched; the others are loaded as far as upstream answered. */
  load(keys: WantedState, signal?: AbortSignal): Promise<void>
  /** Keys that a message will probably read; `undefined` if unknown. */
  readonly prefetch: Prefetch | undefined
  /** A local field of an account, without a request to upstream. Absent from views without local state. */
  loadLocalField?<Field extends keyof Account>(address: Address, field: Field): Promise<Account[Field] | undefined>
  /** The same, of what is in memory. */
  localField?<Field extends keyof Account>(address: Address, field: Field): Account[Field] | undefined
  /** Whether one of these slots is local, without a request to upstream. Absent from views without local state. */
  hasLocalSlot?(address: Address, slots: readonly Word[]): MaybePromise<boolean>
  /** The followed keys; `undefined` if there are none. */
  readonly follows?: FollowSet | undefined
}

/** What a view shows: the state after the change `seq`, on top of upstream's state `base`. */
export type ViewOptions = {
  database: Database
  /** The network's current local state. The view uses it while it is at `seq`. */
  current: LocalState
  seq: number
  base: BaseState
  /** The block at which the network was forked: later blocks are local. */
  origin: bigint
  /** The followed keys, and upstream's state at its head; `undefined` if nothing is followed. */
  live: { follows: FollowSet; state: BaseState } | undefined
  identity: object
}

/**
 * The state after one change: followed over local over upstream, per field and per slot. It stays the same when the
 * network moves on: it then reads versions from SQL.
 */
export class NetworkView implements LoadingView {
  readonly identity: object
  readonly seq: number
  readonly #options: ViewOptions
  readonly #blockHashes = new Map<bigint, Word>()
  #past: LocalState | undefined

  constructor(options: ViewOptions) {
    this.#options = options
    this.identity = options.identity
    this.seq = options.seq
  }

  get #local(): LocalState {
    const { current, database, seq } = this.#options
    if (current.seq === seq) return current
    this.#past ??= new LocalState(database, seq)
    return this.#past
  }

  get prefetch(): Prefetch | undefined {
    return this.#options.base.prefetch
  }

  get follows(): FollowSet | undefined {
    return this.#options.live?.follows
  }

  account(address: Address): Account | undefined {
    const { live } = this.#options
    if (live?.follows.hasAccount(address)) return live.state.account(address)
    const local = this.#local.account(address)
    if (!local) return undefined
    const { balance, nonce, codeHash } = local
    if (balance !== undefined && nonce !== undefined && codeHash !== undefined) return { balance, nonce, codeHash }
    const base = this.#options.base.account(address)
    return base && { balance: balance ?? base.balance, nonce: nonce ?? base.nonce, codeHash: codeHash ?? base.codeHash }
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    if (codeHash === emptyCodeHash) return new Uint8Array()
    const { live } = this.#options
    if (live?.follows.hasAccount(address)) return live.state.code(address)
    const local = this.#local
    return local.account(address)?.codeHash === codeHash ? local.code(codeHash) : this.#options.base.code(address)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    const { live } = this.#options
    if (live?.follows.hasSlot(address, slot)) return live.state.storage(address, slot)
    const local = this.#local
    const account = local.account(address)
    if (!account) return undefined
    const { known, value } = local.slot(account, slot)
    if (!known) return undefined
    return value ?? this.#options.base.storage(address, slot)
  }

  blockHash(number: bigint): Word | undefined {
    return (
      this.#blockHashes.get(number) ??
      (number <= this.#options.origin ? this.#options.base.blockHash(number) : undefined)
    )
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#options.base.liveAnswer?.(address, input)
  }

  async load(keys: WantedState, signal?: AbortSignal): Promise<void> {
    const slots = new Map<Address, Set<Word>>()
    for (const [address, slot] of keys.slots) slots.set(address, (slots.get(address) ?? new Set()).add(slot))
    const addresses = [...new Set([...keys.accounts, ...keys.codes])]
    await this.#loadLocal(addresses, slots)
    await this.#loadBlockHashes(keys.blockHashes)

    const { base, live, origin } = this.#options
    const isLiveAccount = (address: Address) => live?.follows.hasAccount(address) === true
    const isLiveSlot = ([address, slot]: readonly [Address, Word]) => live?.follows.hasSlot(address, slot) === true
    const accounts = addresses.filter((address) => !this.account(address))
    const missing = keys.slots.filter(([address, slot]) => this.storage(address, slot) === undefined)
    const loadFrom = async (state: BaseState, wanted: WantedState) => {
      if (!isEmptyWanted(wanted)) await state.load(wanted, signal)
    }
    const loaded = await Promise.allSettled([
      loadFrom(base, {
        accounts: accounts.filter((address) => !isLiveAccount(address) && !base.account(address)),
        codes: [],
        slots: missing.filter((key) => !isLiveSlot(key)),
        blockHashes: keys.blockHashes.filter((number) => number <= origin && base.blockHash(number) === undefined),
        calls: keys.calls ?? [],
      }),
      live &&
        loadFrom(live.state, {
          accounts: accounts.filter(isLiveAccount),
          codes: [],
          slots: missing.filter(isLiveSlot),
          blockHashes: [],
        }),
    ])
    for (const each of loaded) if (each.status === 'rejected') throw each.reason
  }

  async loadLocalField<Field extends keyof Account>(
    address: Address,
    field: Field,
  ): Promise<Account[Field] | undefined> {
    if (this.#options.live?.follows.hasAccount(address)) return undefined
    await this.#loadLocal([address], new Map())
    return this.localField(address, field)
  }

  localField<Field extends keyof Account>(address: Address, field: Field): Account[Field] | undefined {
    if (this.#options.live?.follows.hasAccount(address)) return undefined
    return this.#local.account(address)?.[field] as Account[Field] | undefined
  }

  hasLocalSlot(address: Address, slots: readonly Word[]): MaybePromise<boolean> {
    const account = this.#local.account(address)
    if (account && slots.every((slot) => this.#local.slot(account, slot).known)) return this.#isLocal(address, slots)
    return this.#loadLocal([], new Map([[address, new Set(slots)]])).then(() => this.#isLocal(address, slots))
  }

  #isLocal(address: Address, slots: readonly Word[]): boolean {
    const local = this.#local
    const account = local.account(address)
    const follows = this.#options.live?.follows
    return (
      account !== undefined &&
      slots.some((slot) => !follows?.hasSlot(address, slot) && local.slot(account, slot).value !== undefined)
    )
  }

  async #loadLocal(addresses: readonly Address[], slots: Map<Address, Set<Word>>): Promise<void> {
    let local: LocalState
    do {
      local = this.#local
      await local.load(addresses, slots)
    } while (local !== this.#local)
  }

  async #loadBlockHashes(numbers: readonly bigint[]): Promise<void> {
    const { database, origin } = this.#options
    const own = numbers.filter((number) => number > origin)
    const [first] = own
    if (first === undefined) return
    const lowest = own.reduce((low, number) => (number < low ? number : low), first)
    const highest = own.reduce((high, number) => (number > high ? number : high), first)
    // Numbers can be skipped between two blocks; a skipped one has no hash.
    for (const number of own) this.#blockHashes.set(number, zeroWord)
    for (const { number, hash } of await loadBlocks(database.queries, lowest, highest))
      this.#blockHashes.set(number, hash)
  }
}

/** Reads one account and loads it if necessary. */
export function loadAccount(view: LoadingView, address: Address): MaybePromise<Account> {
  return requireLoaded(view, { accounts: [address] }, () => view.account(address))
}

/** Reads one field of an account; a local field can be read while upstream is unreachable. */
export function loadAccountField<Field extends keyof Account>(
  view: LoadingView,
  address: Address,
  field: Field,
): MaybePromise<Account[Field]> {
  return accountField(view, address, field) ?? loadMissingField(view, address, field)
}

async function loadMissingField<Field extends keyof Account>(
  view: LoadingView,
  address: Address,
  field: Field,
): Promise<Account[Field]> {
  return (await view.loadLocalField?.(address, field)) ?? (await loadAccount(view, address))[field]
}

/** A field of an account; `undefined` when it is not in memory. */
export function accountField<Field extends keyof Account>(
  view: LoadingView,
  address: Address,
  field: Field,
): Account[Field] | undefined {
  return view.localField?.(address, field) ?? view.account(address)?.[field]
}

export function loadCode(view: LoadingView, address: Address): MaybePromise<Uint8Array> {
  const read = () => {
    const codeHash = accountField(view, address, 'codeHash')
    return codeHash && view.code(address, codeHash)
  }
  const load = async () => {
    await view.loadLocalField?.(address, 'codeHash')
    return requireLoaded(view, { accounts: [address], codes: [address] }, read)
  }
  return read() ?? load()
}

export function loadStorage(view: LoadingView, address: Address, slot: Word): MaybePromise<bigint> {
  return (
    view.storage(address, slot) ?? requireLoaded(view, { slots: [[address, slot]] }, () => view.storage(address, slot))
  )
}

/** Slots of an account, all of the same state. */
export async function loadSlots(
  view: LoadingView,
  address: Address,
  slots: readonly Word[],
): Promise<ReadonlyMap<Word, bigint>> {
  return requireLoaded(view, { slots: slots.map((slot): [Address, Word] => [address, slot]) }, () => {
    const values = new Map<Word, bigint>()
    for (const slot of slots) {
      const value = view.storage(address, slot)
      if (value === undefined) return undefined
      values.set(slot, value)
    }
    return values
  })
}

/** A value may be evicted between two loads, but not time and again. */
const loadLimit = 10

function requireLoaded<T>(view: LoadingView, keys: Partial<WantedState>, read: () => T | undefined): MaybePromise<T> {
  return read() ?? loadUntil(view, keys, read)
}

async function loadUntil<T>(view: LoadingView, keys: Partial<WantedState>, read: () => T | undefined): Promise<T> {
  for (let loads = 0; loads < loadLimit; loads++) {
    await view.load({ accounts: [], codes: [], slots: [], blockHashes: [], ...keys })
    const value = read()
    if (value !== undefined) return value
  }
  throw new Error('The view was loaded, and does not have what was loaded')
}
