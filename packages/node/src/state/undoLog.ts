import type { Address, Word } from '@understudy/evm'
import type { LocalAccountRecord } from '../storage/records/state/localState.ts'

/** The values of slots that a change replaced, and the map that had them; `undefined` for those that were not in memory. */
type ReplacedSlots = { slots: LocalAccount['slots']; values: Map<Word, { value: bigint | undefined } | undefined> }

/** What a change replaced in memory. */
export type Replaced = {
  /** The number of the change. */
  seq: number
  /** `undefined` for accounts that were not in memory. */
  accounts: Map<Address, LocalAccount | undefined>
  slots: Map<Address, ReplacedSlots>
  /** Whose storage it emptied. */
  cleared: ReadonlySet<Address>
}

/** How many accounts, slots and changes are remembered: some megabytes. */
const sizeLimit = 50_000

/** What the newest changes replaced in memory, so that a revert puts it back instead of reading it again. */
export class UndoLog {
  /** Oldest first. */
  readonly #changes: Replaced[] = []
  /** Every later change is here. */
  #from: number
  #size = 0

  constructor(seq: number) {
    this.#from = seq
  }

  add(change: Replaced): void {
    this.#changes.push(change)
    this.#size += sizeOf(change)
    while (this.#size > sizeLimit) {
      const oldest = this.#changes.shift()
      if (!oldest) return
      this.#from = oldest.seq
      this.#size -= sizeOf(oldest)
    }
  }

  /** Takes the changes after `seq` out, newest first; `undefined` if some of them are not here. */
  take(seq: number): Replaced[] | undefined {
    if (seq < this.#from) return undefined
    const taken: Replaced[] = []
    for (let last = this.#changes.at(-1); last && last.seq > seq; last = this.#changes.at(-1)) {
      taken.push(last)
      this.#changes.pop()
      this.#size -= sizeOf(last)
    }
    return taken
  }

  /** Forgets all changes up to `seq`. */
  clear(seq: number): void {
    this.#changes.length = 0
    this.#from = seq
    this.#size = 0
  }
}

function sizeOf({ accounts, slots }: Replaced): number {
  let size = 1 + accounts.size
  for (const { values } of slots.values()) size += values.size
  return size
}

/** The local fields of an account and its known local slots. */
export type LocalAccount = LocalAccountRecord & {
  /** True if `slots` has every local slot, so that no lookup is needed. */
  complete: boolean
  /** A value of `undefined` means that the slot is known not to be local. */
  slots: Map<Word, bigint | undefined>
  /** The newest change after which this was loaded or written. */
  seq: number
}
