import type { Account, Address, Word } from '@understudy/evm'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import { keccak } from '../../shared/keccak.ts'
import type { BlockChanges } from '../changes/blockChanges.ts'
import type { FetchedFields } from '../stateReader.ts'
import type { Span, Timeline } from './timeline.ts'

/** A field of an account, or a slot. */
export type Field = 'balance' | 'nonce' | 'codeHash' | Word

export type CachedAccount = {
  readonly values: Map<Field, Span[]>
  /** When it was last read, in milliseconds since 1970. */
  usedAt: number
  /** When it was last read at or near the tip. */
  usedAtTip: number
}

/** What must be stored again. */
export type Dirty = {
  /** Set if all stored values must be deleted. */
  all: boolean
  /** Keys whose stored values are wrong. */
  changed: Map<Address, Set<Field>>
  /** Keys with values that are not stored yet. */
  added: Map<Address, Set<Field>>
  addedCodes: Set<Word>
  removedCodes: Set<Word>
}

/** Approximate memory of a key, with its map entries and values. */
const keyBytes = 320
/** Blocks before the tip that count as the tip for read statistics. */
const tipWindow = 16
/** Number of ended generations after which ended values are dropped. */
const generationLimit = 256

/** Known upstream state, with the blocks for which each value holds. Bounded by bytes. */
export class StateStore {
  readonly accounts = new Map<Address, CachedAccount>()
  readonly codes = new Map<Word, Uint8Array>()
  /** The time that reads are recorded with. */
  now = 0
  timeline: Timeline
  readonly #limit: number
  #bytes = 0
  #dirty = nothingDirty()

  /** `limit` in bytes. */
  constructor(limit: number, timeline: Timeline) {
    this.#limit = limit
    this.timeline = timeline
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Reads a value without recording the read. */
  peek(address: Address, field: Field, block: number): Span['value'] | undefined {
    const spans = this.accounts.get(address)?.values.get(field)
    return spans && this.timeline.find(spans, block)?.value
  }

  get(address: Address, field: Field, block: number): Span['value'] | undefined {
    const account = this.accounts.get(address)
    const spans = account?.values.get(field)
    if (!account || !spans) return undefined
    account.usedAt = this.now
    if (block >= this.timeline.tip - tipWindow) account.usedAtTip = this.now
    return this.timeline.find(spans, block)?.value
  }

  storage(address: Address, slot: Word, block: number): bigint | undefined {
    return this.get(address, slot, block) as bigint | undefined
  }

  /** Only if the code itself is loaded. */
  codeHash(address: Address, block: number): Word | undefined {
    const hash = this.get(address, 'codeHash', block) as Word | undefined
    return hash !== undefined && this.hasCode(hash) ? hash : undefined
  }

  hasCode(hash: Word): boolean {
    return hash === emptyCodeHash || this.codes.has(hash)
  }

  account(address: Address, block: number): Account | undefined {
    const balance = this.get(address, 'balance', block) as bigint | undefined
    const nonce = this.get(address, 'nonce', block) as bigint | undefined
    const codeHash = this.codeHash(address, block)
    if (balance === undefined || nonce === undefined || codeHash === undefined) return undefined
    return { balance, nonce, codeHash }
  }

  code(address: Address, block: number): Uint8Array | undefined {
    const hash = this.codeHash(address, block)
    if (hash === undefined) return undefined
    return hash === emptyCodeHash ? new Uint8Array() : this.codes.get(hash)
  }

  /** The slots of which some value is known. */
  slotsOf(address: Address): Word[] {
    const fields = this.accounts.get(address)?.values.keys() ?? []
    return [...fields].filter((field): field is Word => field.startsWith('0x'))
  }

  /** Adds values read at a block. */
  add({ balances, nonces, codes, slots }: Omit<FetchedFields, 'blockHashes'>, block: number): void {
    for (const [address, balance] of balances) this.set(address, 'balance', balance, block)
    for (const [address, nonce] of nonces) this.set(address, 'nonce', nonce, block)
    for (const [address, code] of codes) {
      const hash = code.length === 0 ? emptyCodeHash : keccak(code)
      this.addCode(hash, code)
      this.set(address, 'codeHash', hash, block)
    }
    for (const [address, values] of slots) for (const [slot, value] of values) this.set(address, slot, value, block)
    if (this.#bytes > this.#limit) this.#evict()
  }

  set(address: Address, field: Field, value: Span['value'], block: number): void {
    this.timeline.add(this.#spans(address, field), value, block)
    note(this.#dirty.added, address, field)
  }

  addCode(hash: Word, code: Uint8Array): void {
    if (this.hasCode(hash)) return
    this.restoreCode(hash, code)
    this.#dirty.removedCodes.delete(hash)
    this.#dirty.addedCodes.add(hash)
  }

  /** Adds a stored value. */
  restore(address: Address, field: Field, span: Span): void {
    this.#spans(address, field).push(span)
  }

  restoreCode(hash: Word, code: Uint8Array): void {
    this.codes.set(hash, code)
    this.#bytes += code.length
  }

  /** Adds the changes of the block after the tip, or after those added before. */
  change(changes: BlockChanges, block: number): void {
    for (const [address, fields] of changedFields(changes)) {
      const account = this.accounts.get(address)
      if (!account) continue
      const isWiped = changes.wiped.has(address)
      const hasAnySlot = changes.storages.has(address)
      for (const field of isWiped || hasAnySlot ? account.values.keys() : fields.keys()) {
        const spans = account.values.get(field)
        if (!spans || !(isWiped || fields.has(field) || (isSlot(field) && hasAnySlot))) continue
        if (this.timeline.change(spans, block, isWiped ? undefined : fields.get(field)))
          note(this.#dirty.changed, address, field)
      }
    }
  }

  /** Drops blocks after `block`, which are no longer part of the chain. */
  rewindTo(block: number): void {
    for (const [address, { values }] of this.accounts)
      for (const [field, spans] of values)
        if (this.timeline.rewind(spans, block)) note(this.#dirty.changed, address, field)
    this.timeline.rewindTo(block)
  }

  /** Continues at a block with unknown state. */
  restartAt(block: number): void {
    this.timeline.restartAt(block)
    if (this.timeline.generationsOver > generationLimit) this.#sweep()
  }

  /** After a restart: declares that an account's slots known at `end`, the earlier tip, also hold at the tip. */
  carrySlots(address: Address, end: number): void {
    for (const [field, spans] of this.accounts.get(address)?.values ?? [])
      if (isSlot(field) && this.timeline.carry(spans, end)) note(this.#dirty.changed, address, field)
  }

  /** Drops every value. Codes are identified by their hashes and are kept. */
  clear(): void {
    for (const { values } of this.accounts.values()) this.#bytes -= keyBytes * values.size
    this.accounts.clear()
    this.#dirty.all = true
  }

  /** Returns what must be stored since the last call. */
  takeDirty(): Dirty {
    const dirty = this.#dirty
    this.#dirty = nothingDirty()
    return dirty
  }

  /** Marks all stored values for deletion. */
  storeAnew(): void {
    this.#dirty.all = true
  }

  /** Marks a key as not stored. */
  storeLater(address: Address, field: Field): void {
    note(this.#dirty.added, address, field)
  }

  get isDirty(): boolean {
    const { all, changed, added, addedCodes, removedCodes } = this.#dirty
    return all || changed.size + added.size + addedCodes.size + removedCodes.size > 0
  }

  #sweep(): void {
    for (const [address, { values }] of this.accounts) {
      for (const [field, spans] of values) {
        if (this.timeline.sweep(spans)) note(this.#dirty.changed, address, field)
        if (spans.length > 0) continue
        values.delete(field)
        this.#bytes -= keyBytes
      }
      if (values.size === 0) this.accounts.delete(address)
    }
    this.timeline.swept()
  }

  /** Frees a fifth of the memory: the least recently read accounts, and codes that no other account uses. */
  #evict(): void {
    const goal = this.#limit * 0.8
    const users = this.#codeUsers()
    for (const [hash, code] of this.codes) if (!users.has(hash)) this.#removeCode(hash, code)
    const oldestFirst = [...this.accounts].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [address, { values }] of oldestFirst) {
      for (const [field, spans] of values) {
        if (this.#bytes <= goal) return
        values.delete(field)
        note(this.#dirty.changed, address, field)
        this.#bytes -= keyBytes
        if (field !== 'codeHash') continue
        for (const { value } of spans) {
          const left = (users.get(value) ?? 0) - 1
          users.set(value, left)
          const code = this.codes.get(value as Word)
          if (left === 0 && code) this.#removeCode(value as Word, code)
        }
      }
      this.accounts.delete(address)
    }
  }

  /** Number of values that refer to each code. */
  #codeUsers(): Map<unknown, number> {
    const users = new Map<unknown, number>()
    for (const { values } of this.accounts.values())
      for (const { value } of values.get('codeHash') ?? []) users.set(value, (users.get(value) ?? 0) + 1)
    return users
  }

  #removeCode(hash: Word, code: Uint8Array): void {
    this.codes.delete(hash)
    this.#dirty.addedCodes.delete(hash)
    this.#dirty.removedCodes.add(hash)
    this.#bytes -= code.length
  }

  #spans(address: Address, field: Field): Span[] {
    let account = this.accounts.get(address)
    if (!account) {
      account = { values: new Map(), usedAt: this.now, usedAtTip: this.now }
      this.accounts.set(address, account)
    }
    let spans = account.values.get(field)
    if (!spans) {
      spans = []
      account.values.set(field, spans)
      this.#bytes += keyBytes
    }
    return spans
  }
}

export const isSlot = (field: Field): field is Word => field.startsWith('0x')

function nothingDirty(): Dirty {
  return { all: false, changed: new Map(), added: new Map(), addedCodes: new Set(), removedCodes: new Set() }
}

function note(keys: Map<Address, Set<Field>>, address: Address, field: Field): void {
  const fields = keys.get(address)
  if (fields) fields.add(field)
  else keys.set(address, new Set([field]))
}

/** The changed fields by account, with their new values if known. */
function changedFields(changes: BlockChanges): Map<Address, Map<Field, bigint | undefined>> {
  const all = new Map<Address, Map<Field, bigint | undefined>>()
  const of = (address: Address) => {
    const fields = all.get(address) ?? new Map<Field, bigint | undefined>()
    all.set(address, fields)
    return fields
  }
  for (const address of [...changes.wiped, ...changes.storages]) of(address)
  for (const [address, values] of changes.slots) {
    const fields = of(address)
    // A new value is useless if any slot may have changed again.
    for (const [slot, value] of values) fields.set(slot, changes.storages.has(address) ? undefined : value)
  }
  for (const address of changes.balances) of(address).set('balance', undefined)
  for (const address of changes.nonces) of(address).set('nonce', undefined)
  for (const address of changes.codes) of(address).set('codeHash', undefined)
  return all
}
