import type { Address, ReplacedKeys, StateDiff, Word } from '@understudy/evm'
import { keccak } from '../shared/keccak.ts'
import type { Database } from '../storage/database.ts'
import {
  type LocalAccountRecord,
  loadAddressesWithSlots,
  loadLocalAccounts,
  loadLocalCode,
  loadLocalSlots,
  type StateVersions,
} from '../storage/records/state/localState.ts'
import { type LocalAccount, type Replaced, UndoLog } from './undoLog.ts'

/** An account without local state. Shared and never modified. */
const untouched: LocalAccount = {
  balance: undefined,
  nonce: undefined,
  codeHash: undefined,
  storageSeq: undefined,
  complete: true,
  slots: new Map(),
  seq: 0,
}

/** Maximum number of accounts and slots in the cache before it is cleared. About 200 bytes each. */
const cacheLimit = 500_000

/**
 * The local state at one `seq`, as a cache of SQL. Reads return at once, or `undefined` for "not loaded". `advance`
 * moves the network's current local state.
 */
export class LocalState {
  #seq: number
  #size = 0
  readonly #database: Database
  readonly #accounts = new Map<Address, LocalAccount>()
  readonly #codes = new Map<Word, Uint8Array>()
  readonly #undoLog: UndoLog

  constructor(database: Database, seq: number) {
    this.#database = database
    this.#seq = seq
    this.#undoLog = new UndoLog(seq)
  }

  /** The number of the last change that it contains. */
  get seq(): number {
    return this.#seq
  }

  account(address: Address): LocalAccount | undefined {
    return this.#accounts.get(address)
  }

  code(hash: Word): Uint8Array | undefined {
    return this.#codes.get(hash)
  }

  /** If `known` is false, the slot must be loaded and `value` has no meaning. */
  slot(account: LocalAccount, slot: Word): { known: boolean; value: bigint | undefined } {
    const value = account.slots.get(slot)
    if (value !== undefined) return { known: true, value }
    if (account.complete || account.slots.has(slot))
      return { known: true, value: account.storageSeq === undefined ? undefined : 0n }
    return { known: false, value: undefined }
  }

  /** Loads these keys. Does nothing if the state has moved on since; the caller checks again. */
  async load(addresses: Iterable<Address>, slots: Map<Address, Set<Word>>): Promise<void> {
    const { queries } = this.#database
    const seq = this.#seq
    this.#makeRoom()
    const unknown = [...new Set([...addresses, ...slots.keys()])].filter((address) => !this.#accounts.has(address))
    const loaded = new Map<Address, LocalAccount>()
    const codes = new Map<Word, Uint8Array>()
    if (unknown.length > 0) {
      const records = await loadLocalAccounts(queries, unknown, seq)
      const withSlots = await loadAddressesWithSlots(queries, unknown)
      for (const address of unknown) {
        const record = records.get(address)
        const complete = !withSlots.has(address)
        loaded.set(
          address,
          record || !complete ? { ...untouched, ...record, complete, slots: new Map(), seq } : untouched,
        )
        const hash = record?.codeHash
        if (hash === undefined || this.#codes.has(hash)) continue
        const code = await loadLocalCode(queries, hash)
        if (code) codes.set(hash, code)
      }
    }
    const loadedSlots = new Map<Address, Map<Word, bigint | undefined>>()
    for (const [address, wanted] of slots) {
      const account = this.#accounts.get(address) ?? loaded.get(address)
      if (!account || account.complete) continue
      const missing = [...wanted].filter((slot) => !account.slots.has(slot))
      const found = await loadLocalSlots(queries, address, missing, seq, account.storageSeq)
      loadedSlots.set(address, new Map(missing.map((slot) => [slot, found.get(slot)])))
    }
    if (this.#seq !== seq) return
    for (const [address, account] of loaded) {
      this.#accounts.set(address, account)
      this.#size++
    }
    for (const [hash, code] of codes) this.#codes.set(hash, code)
    for (const [address, values] of loadedSlots) {
      const account = this.#accounts.get(address)
      if (!account) continue
      for (const [slot, value] of values) account.slots.set(slot, value)
      account.seq = seq
      this.#size += values.size
    }
  }

  /** Applies a stored change. */
  advance(seq: number, versions: StateVersions, cleared: ReadonlySet<Address>): void {
    this.#seq = seq
    const replaced: Replaced = { seq, accounts: new Map(), slots: new Map(), cleared }
    for (const [hash, code] of versions.codes) this.#codes.set(hash, code)
    for (const [address, record] of versions.accounts) {
      const known = this.#accounts.get(address)
      replaced.accounts.set(address, known)
      // An entry that was evicted in the meantime may have slots that only SQL has.
      if (!known && !cleared.has(address)) continue
      this.#accounts.set(
        address,
        known && known !== untouched && !cleared.has(address)
          ? { ...known, ...record, seq }
          : { ...record, complete: true, slots: new Map(), seq },
      )
    }
    for (const [address, values] of versions.slots) {
      let account = this.#accounts.get(address)
      if (!replaced.accounts.has(address)) replaced.accounts.set(address, account)
      if (!account) continue
      if (account === untouched) {
        account = { ...untouched, slots: new Map() }
        this.#accounts.set(address, account)
      }
      const { slots } = account
      const before = slots.size
      const old: Map<Word, { value: bigint | undefined } | undefined> = new Map()
      for (const [slot, value] of values) {
        old.set(slot, slots.has(slot) ? { value: slots.get(slot) } : undefined)
        slots.set(slot, value)
      }
      replaced.slots.set(address, { slots, values: old })
      account.seq = seq
      this.#size += slots.size - before
    }
    this.#undoLog.add(replaced)
  }

  /**
   * Called when the changes after `to` were deleted; that is the change `seq`. Puts back what they replaced and returns the keys, or
   * forgets what is newer than `to` where they were not all remembered.
   */
  revert(to: number, seq: number): ReplacedKeys | undefined {
    this.#seq = seq
    const undone = this.#undoLog.take(to)
    if (undone) return this.#undo(undone)
    this.#undoLog.clear(seq)
    for (const [address, account] of this.#accounts) if (account.seq > to) this.#forget(address, account)
    return undefined
  }

  #undo(changes: readonly Replaced[]): ReplacedKeys {
    const keys = { accounts: new Set<Address>(), cleared: new Set<Address>(), slots: new Map<Address, Set<Word>>() }
    for (const { accounts, slots: replaced, cleared } of changes) {
      for (const address of cleared) keys.cleared.add(address)
      for (const [address, { slots, values }] of replaced) {
        const changed = keys.slots.get(address) ?? new Set<Word>()
        keys.slots.set(address, changed)
        for (const [slot, was] of values) {
          changed.add(slot)
          if (was) slots.set(slot, was.value)
          else if (slots.delete(slot)) this.#size--
        }
      }
      for (const [address, was] of accounts) {
        keys.accounts.add(address)
        const account = this.#accounts.get(address)
        if (was) this.#accounts.set(address, was)
        else if (account) this.#forget(address, account)
      }
    }
    return keys
  }

  #forget(address: Address, { slots }: LocalAccount): void {
    this.#accounts.delete(address)
    this.#size -= 1 + slots.size
  }

  /** Called when the changes so far cannot be undone one by one. */
  forgetUndo(): void {
    this.#undoLog.clear(this.#seq)
  }

  #makeRoom(): void {
    if (this.#size > cacheLimit) this.clear()
  }

  /** Clears the cache; `seq` changes if another node changed the network. */
  clear(seq = this.#seq): void {
    this.#seq = seq
    this.#size = 0
    this.#accounts.clear()
    this.#codes.clear()
    this.#undoLog.clear(seq)
  }
}

/**
 * The rows that a change stores with the number `seq`. `records` has the local record of every account in it: before
 * the change on entry, after it on return.
 */
export function versionsOf(diff: StateDiff, seq: number, records: Map<Address, LocalAccountRecord>): StateVersions {
  const versions: StateVersions = { accounts: new Map(), slots: diff.slots, codes: new Map() }
  for (const address of new Set([...diff.accounts.keys(), ...diff.cleared])) {
    const before = records.get(address)
    if (!before) throw new Error(`the local record of ${address} is needed before it changes`)
    const { balance, nonce, code } = diff.accounts.get(address) ?? {}
    const codeHash = code === undefined ? before.codeHash : keccak(code)
    if (code?.length && codeHash) versions.codes.set(codeHash, code)
    const after: LocalAccountRecord = {
      balance: balance ?? before.balance,
      nonce: nonce ?? before.nonce,
      codeHash,
      storageSeq: diff.cleared.has(address) ? seq : before.storageSeq,
    }
    versions.accounts.set(address, after)
    records.set(address, after)
  }
  return versions
}
