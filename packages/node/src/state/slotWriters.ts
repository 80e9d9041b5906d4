import type { Address, StateDiff, Word } from '@understudy/evm'
import type { ReplacedWrite } from '../storage/records/state/slotVersions.ts'

/** What wrote before the first transaction of a block: the protocol. After the last one, the position is their number. */
export const beforeTransactions = -1

/** The position of the transaction that wrote each slot of a block last, and what others had written before it. */
export class SlotWriters {
  readonly #last = new Map<Address, Map<Word, number>>()
  readonly replaced: ReplacedWrite[] = []

  /** Notes what the message at a position writes; `before` is what those before it wrote. */
  add(position: number, { slots, cleared }: StateDiff, before: StateDiff): void {
    for (const address of cleared) {
      for (const [slot, last] of this.#last.get(address) ?? [])
        if (last !== position) this.#replace(address, slot, last, before)
      this.#last.delete(address)
    }
    for (const [address, values] of slots) {
      const writers = this.#last.get(address) ?? new Map<Word, number>()
      this.#last.set(address, writers)
      for (const slot of values.keys()) {
        const last = writers.get(slot)
        if (last !== undefined && last !== position) this.#replace(address, slot, last, before)
        writers.set(slot, position)
      }
    }
  }

  /** `undefined` if the block did not write it. */
  last(address: Address, slot: Word): number | undefined {
    return this.#last.get(address)?.get(slot)
  }

  #replace(address: Address, slot: Word, position: number, before: StateDiff): void {
    const value = before.slots.get(address)?.get(slot)
    if (value !== undefined) this.replaced.push({ address, slot, position, value })
  }
}
