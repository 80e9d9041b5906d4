import type { Address, Word } from '@understudy/evm'
import type { WantedState } from '../wantedState.ts'
import { isSlot, type StateStore } from './store.ts'

/** Maximum number of slots that come along with the one that was asked for. */
const slotLimit = 128
/** Two slots of a contract are asked for one after the other if no more time than this is between them, in milliseconds. */
const pauseMs = 10_000
/** Maximum number of contracts whose last read is kept. */
const contractLimit = 64

/** A block, and which slots are known at it. */
type BlockSlots = { number: number; isKnown(address: Address, slot: Word): boolean }

/**
 * Notices when slots of one contract are read one after the other: by programs that run its code themselves, with a
 * network as the chain that they fork. What the contract's last executions here read then comes along, in one round trip.
 */
export class SlotSequences {
  readonly #store: StateStore
  readonly #last = new Map<Address, { block: number; at: number }>()

  constructor(store: StateStore) {
    this.#store = store
  }

  /** Slots that will probably be asked for after this one. */
  after(address: Address, slot: Word, { number, isKnown }: BlockSlots): WantedState['slots'] {
    if (!this.#isNext(address, number)) return []
    const slots = [...(this.#store.accounts.get(address)?.values.keys() ?? [])].filter(isSlot)
    const unknown = slots.filter((other) => other !== slot && !isKnown(address, other))
    return unknown.slice(-slotLimit).map((other) => [address, other])
  }

  #isNext(address: Address, block: number): boolean {
    const last = this.#last.get(address)
    const at = this.#store.now
    this.#last.delete(address)
    this.#last.set(address, { block, at })
    if (this.#last.size > contractLimit) this.#last.delete(this.#last.keys().next().value as Address)
    return last?.block === block && at - last.at <= pauseMs
  }
}
