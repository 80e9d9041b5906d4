import type { Account, Address, BlockContext, StateDiff, Word } from '@understudy/evm'
import type { LoadingView, WantedState } from '../state/view.ts'

/** The reads of a value, with the values read. */
export type Reads = {
  accounts: ReadonlyMap<Address, Account | undefined>
  slots: ReadonlyMap<Address, ReadonlyMap<Word, bigint | undefined>>
  /** The block, if the value depends on its number, its time or similar. */
  block: BlockContext | undefined
}

/** Finds the values that a change affects. */
export class ReadIndex<Reader> {
  readonly #accounts = new Map<Address, Set<Reader>>()
  readonly #slots = new Map<Address, Map<Word, Set<Reader>>>()
  readonly #reads = new Map<Reader, Reads>()

  get(reader: Reader): Reads | undefined {
    return this.#reads.get(reader)
  }

  set(reader: Reader, reads: Reads): void {
    this.delete(reader)
    this.#reads.set(reader, reads)
    for (const address of reads.accounts.keys()) setOf(this.#accounts, address).add(reader)
    for (const [address, slots] of reads.slots) {
      const bySlot = this.#slots.get(address) ?? new Map<Word, Set<Reader>>()
      for (const slot of slots.keys()) setOf(bySlot, slot).add(reader)
      this.#slots.set(address, bySlot)
    }
  }

  delete(reader: Reader): void {
    const reads = this.#reads.get(reader)
    if (!reads) return
    this.#reads.delete(reader)
    for (const address of reads.accounts.keys()) remove(this.#accounts, address, reader)
    for (const [address, slots] of reads.slots) {
      const bySlot = this.#slots.get(address)
      if (!bySlot) continue
      for (const slot of slots.keys()) remove(bySlot, slot, reader)
      if (bySlot.size === 0) this.#slots.delete(address)
    }
  }

  /** The readers of keys that `diff` changes. */
  touched(diff: StateDiff): Set<Reader> {
    const found = new Set<Reader>()
    const add = (readers: Iterable<Reader> = []) => {
      for (const reader of readers) found.add(reader)
    }
    for (const address of diff.accounts.keys()) add(this.#accounts.get(address))
    for (const address of diff.cleared) for (const readers of this.#slots.get(address)?.values() ?? []) add(readers)
    for (const [address, slots] of diff.slots) {
      const bySlot = this.#slots.get(address)
      if (bySlot) for (const slot of slots.keys()) add(bySlot.get(slot))
    }
    return found
  }
}

function setOf<Key, Reader>(map: Map<Key, Set<Reader>>, key: Key): Set<Reader> {
  const set = map.get(key) ?? new Set<Reader>()
  map.set(key, set)
  return set
}

function remove<Key, Reader>(map: Map<Key, Set<Reader>>, key: Key, reader: Reader): void {
  const set = map.get(key)
  set?.delete(reader)
  if (set?.size === 0) map.delete(key)
}

/** Whether a view has all reads with the same values. */
export function isUnchanged({ accounts, slots }: Reads, view: LoadingView): boolean {
  for (const [address, before] of accounts) {
    const now = view.account(address)
    if (!before || !now) return false
    if (now.balance !== before.balance || now.nonce !== before.nonce || now.codeHash !== before.codeHash) return false
  }
  for (const [address, values] of slots)
    for (const [slot, before] of values)
      if (before === undefined || view.storage(address, slot) !== before) return false
  return true
}

/** The keys of these reads that a view must fetch. */
export function missingOf(all: Iterable<Reads>, view: LoadingView): WantedState | undefined {
  const unknownAccounts = new Set<Address>()
  const unknownSlots = new Map<string, readonly [Address, Word]>()
  for (const { accounts, slots } of all) {
    for (const address of accounts.keys()) if (!view.account(address)) unknownAccounts.add(address)
    for (const [address, values] of slots)
      for (const slot of values.keys())
        if (view.storage(address, slot) === undefined) unknownSlots.set(address + slot, [address, slot])
  }
  if (unknownAccounts.size === 0 && unknownSlots.size === 0) return undefined
  return { accounts: [...unknownAccounts], codes: [], slots: [...unknownSlots.values()], blockHashes: [] }
}
