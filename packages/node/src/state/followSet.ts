import type { Address, StateDiff, Word } from '@understudy/evm'
import type { FollowRecord } from '../storage/records/state/follows.ts'

/** Keys that read upstream's head instead of local state: whole accounts, and slots of others. */
export class FollowSet {
  readonly accounts: ReadonlySet<Address>
  readonly slots: ReadonlyMap<Address, ReadonlySet<Word>>

  constructor(follows: readonly FollowRecord[]) {
    const accounts = new Set<Address>()
    const slots = new Map<Address, Set<Word>>()
    for (const { address, slot } of follows)
      if (slot === undefined) accounts.add(address)
      else slots.set(address, (slots.get(address) ?? new Set()).add(slot))
    this.accounts = accounts
    this.slots = slots
  }

  get isEmpty(): boolean {
    return this.accounts.size === 0 && this.slots.size === 0
  }

  hasAccount(address: Address): boolean {
    return this.accounts.has(address)
  }

  hasSlot(address: Address, slot: Word): boolean {
    return this.accounts.has(address) || this.slots.get(address)?.has(slot) === true
  }

  /** Whether exactly this key was followed; a slot of a followed account was not. */
  has({ address, slot }: FollowRecord): boolean {
    return slot === undefined ? this.accounts.has(address) : this.slots.get(address)?.has(slot) === true
  }

  records(): FollowRecord[] {
    const ofSlots = [...this.slots].flatMap(([address, slots]) => [...slots].map((slot) => ({ address, slot })))
    return [...[...this.accounts].map((address) => ({ address, slot: undefined })), ...ofSlots]
  }

  /**
   * Removes followed keys from a change, because their values are discarded when the block is sealed. False if there
   * were none.
   */
  strip(diff: StateDiff): boolean {
    let stripped = false
    for (const address of this.accounts) {
      const parts = [diff.accounts.delete(address), diff.cleared.delete(address), diff.slots.delete(address)]
      stripped ||= parts.includes(true)
    }
    for (const [address, slots] of this.slots) {
      const written = diff.slots.get(address)
      if (!written) continue
      for (const slot of slots) if (written.delete(slot)) stripped = true
      if (written.size === 0) diff.slots.delete(address)
    }
    return stripped
  }
}
