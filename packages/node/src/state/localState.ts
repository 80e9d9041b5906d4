import type { Address, StateDiff, Word } from '@understudy/evm'
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

/** The local fields of an account and, as far as they are known, its local slots. */
export type LocalAccount = LocalAccountRecord & {
  /** True when `slots` holds every local slot: then none has to be looked up. */
  complete: boolean
  /** `undefined` as a value says that the slot is known not to be local. */
  slots: Map<Word, bigint | undefined>
}

/** An account that nothing local ever touched. Shared, never written to. */
const untouched: LocalAccount = {
  balance: undefined,
  nonce: undefined,
  codeHash: undefined,
  storageSeq: undefined,
  complete: true,
  slots: new Map(),
}

/** Accounts and slots that a cache holds before it starts afresh. About 200 bytes each. */
const cacheLimit = 500_000

/**
 * The local state at one `seq`, as a cache of what SQL holds: reads are answered at once or are `undefined`, which means
 * «not loaded». The network's current local state is the one that `advance` moves on.
 */
export class LocalState {
  #seq: number
  #size = 0
  readonly #database: Database
  readonly #accounts = new Map<Address, LocalAccount>()
  readonly #codes = new Map<Word, Uint8Array>()

  constructor(database: Database, seq: number) {
    this.#database = database
    this.#seq = seq
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

  /** `known` is false when the slot has to be loaded; then `value` says nothing. */
  slot(account: LocalAccount, slot: Word): { known: boolean; value: bigint | undefined } {
    const value = account.slots.get(slot)
    if (value !== undefined) return { known: true, value }
    if (account.complete || account.slots.has(slot))
      return { known: true, value: account.storageSeq === undefined ? undefined : 0n }
    return { known: false, value: undefined }
  }

  /** Makes these keys known. Does nothing when the state moved on meanwhile: the caller looks again. */
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
        loaded.set(address, record || !complete ? { ...untouched, ...record, complete, slots: new Map() } : untouched)
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
      for (const [slot, value] of values) account?.slots.set(slot, value)
      this.#size += values.size
    }
  }

  /** Takes in a change that was stored. */
  advance(seq: number, versions: StateVersions, cleared: ReadonlySet<Address>): void {
    this.#seq = seq
    for (const [hash, code] of versions.codes) this.#codes.set(hash, code)
    for (const [address, record] of versions.accounts) {
      const known = this.#accounts.get(address)
      // What was forgotten meanwhile may have slots that only SQL knows.
      if (!known && !cleared.has(address)) continue
      this.#accounts.set(
        address,
        known && known !== untouched && !cleared.has(address)
          ? { ...known, ...record }
          : { ...record, complete: true, slots: new Map() },
      )
    }
    for (const [address, values] of versions.slots) {
      let account = this.#accounts.get(address)
      if (!account) continue
      if (account === untouched) {
        account = { ...untouched, slots: new Map() }
        this.#accounts.set(address, account)
      }
      const before = account.slots.size
      for (const [slot, value] of values) account.slots.set(slot, value)
      this.#size += account.slots.size - before
    }
  }

  #makeRoom(): void {
    if (this.#size > cacheLimit) this.clear()
  }

  /** Forgets what is cached; `seq` changes when the network was taken back. */
  clear(seq = this.#seq): void {
    this.#seq = seq
    this.#size = 0
    this.#accounts.clear()
    this.#codes.clear()
  }
}

/**
 * The rows that a change stores under the number `seq`. `records` holds the local records before it, of every account in it,
 * and those after it when this returns.
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
