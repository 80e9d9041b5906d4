import type { Hex, Word } from '@understudy/evm'
import { bytesFromHex, wordFromBigint } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'

/** What a slot holds. */
export type SlotState = {
  value: bigint
  /** The origin of the value: the live chain, this network, or the live chain's head because the slot is followed. */
  origin: 'upstream' | 'local' | 'followed'
  /** The live chain's value of a local slot; `undefined` if the contract does not exist there. */
  upstreamValue: bigint | undefined
}

/** The storage of one contract. */
export type StorageSource = {
  /** Loads all of them in one round. */
  load(slots: readonly Word[]): Promise<ReadonlyMap<Word, SlotState>>
  /** The keys of the mapping at slot `base` that transactions used, in order, after `after`. */
  loadKeys(base: Word, page: { limit: number; after: Word | undefined }): Promise<Word[]>
}

/** Reads single slots; reads that are requested together are loaded in one round. */
export class SlotReader {
  readonly #source: StorageSource
  readonly #known = new Map<Word, Promise<SlotState>>()
  #wanted: { slot: Word; resolve(state: SlotState): void; reject(error: unknown): void }[] = []

  constructor(source: StorageSource) {
    this.#source = source
  }

  read(slot: bigint): Promise<SlotState> {
    const word = wordFromBigint(BigInt.asUintN(256, slot))
    const known = this.#known.get(word)
    if (known) return known
    const reading = new Promise<SlotState>((resolve, reject) => {
      // All continuations of the last round request their slots before the next one starts.
      if (this.#wanted.length === 0) setImmediate(() => void this.#flush())
      this.#wanted.push({ slot: word, resolve, reject })
    })
    this.#known.set(word, reading)
    return reading
  }

  async #flush(): Promise<void> {
    const wanted = this.#wanted
    this.#wanted = []
    try {
      const states = await this.#source.load(wanted.map(({ slot }) => slot))
      for (const { slot, resolve } of wanted)
        resolve(states.get(slot) ?? { value: 0n, origin: 'upstream', upstreamValue: undefined })
    } catch (error) {
      for (const { reject } of wanted) reject(error)
    }
  }
}

/** The first slot of a dynamic array's elements, or of a long string's bytes. */
export function dataSlot(slot: bigint): bigint {
  return BigInt(keccak(bytesFromHex(wordFromBigint(slot))))
}

/** The slot of a mapping's value. */
export function mappedSlot(base: bigint, key: Hex): bigint {
  return BigInt(keccak(bytesFromHex(`${key}${wordFromBigint(base).slice(2)}`)))
}
