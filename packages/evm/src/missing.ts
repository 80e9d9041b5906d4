import type { Address, Missing, Word } from './port.ts'

/** Collects what the view lacks in one pass. */
export class MissingState {
  readonly #accounts = new Set<Address>()
  readonly #codes = new Set<Address>()
  readonly #slots = new Map<string, readonly [Address, Word]>()
  readonly #blockHashes = new Set<bigint>()
  any = false

  addAccount(address: Address): void {
    this.any = true
    this.#accounts.add(address)
  }

  addCode(address: Address): void {
    this.any = true
    this.#codes.add(address)
  }

  addSlot(address: Address, key: Word): void {
    this.any = true
    this.#slots.set(address + key, [address, key])
  }

  addBlockHash(number: bigint): void {
    this.any = true
    this.#blockHashes.add(number)
  }

  clear(): void {
    if (!this.any) return
    this.any = false
    this.#accounts.clear()
    this.#codes.clear()
    this.#slots.clear()
    this.#blockHashes.clear()
  }

  toResult(): Missing {
    return {
      type: 'missing',
      accounts: [...this.#accounts],
      codes: [...this.#codes],
      slots: [...this.#slots.values()],
      blockHashes: [...this.#blockHashes],
    }
  }
}
