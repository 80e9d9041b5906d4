import type { Address, Hex, Missing, MissingKeys, Word } from './port.ts'

/** Calls that one pass reports: their inputs may be long, and a run that needs more is not wanted. */
const callLimit = 100

/** Collects the keys that are missing in one pass. */
export class MissingState {
  readonly #accounts = new Set<Address>()
  readonly #codes = new Set<Address>()
  readonly #slots = new Map<string, readonly [Address, Word]>()
  readonly #blockHashes = new Set<bigint>()
  readonly #calls = new Map<string, readonly [Address, Hex]>()
  any = false
  #first: MissingKeys = {}

  addAccount(address: Address): void {
    if (!this.any) this.#first = { accounts: [address] }
    this.any = true
    this.#accounts.add(address)
  }

  addCode(address: Address): void {
    if (!this.any) this.#first = { codes: [address] }
    this.any = true
    this.#codes.add(address)
  }

  addSlot(address: Address, key: Word): void {
    if (!this.any) this.#first = { slots: [[address, key]] }
    this.any = true
    this.#slots.set(address + key, [address, key])
  }

  addBlockHash(number: bigint): void {
    if (!this.any) this.#first = { blockHashes: [number] }
    this.any = true
    this.#blockHashes.add(number)
  }

  addCall(address: Address, input: Hex): void {
    if (!this.any) this.#first = { calls: [[address, input]] }
    this.any = true
    if (this.#calls.size < callLimit) this.#calls.set(address + input, [address, input])
  }

  clear(): void {
    if (!this.any) return
    this.any = false
    this.#accounts.clear()
    this.#codes.clear()
    this.#slots.clear()
    this.#blockHashes.clear()
    this.#calls.clear()
  }

  toResult(): Missing {
    return {
      type: 'missing',
      first: this.#first,
      accounts: [...this.#accounts],
      codes: [...this.#codes],
      slots: [...this.#slots.values()],
      blockHashes: [...this.#blockHashes],
      calls: [...this.#calls.values()],
    }
  }
}
