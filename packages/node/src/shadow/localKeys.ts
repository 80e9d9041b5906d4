import type { Address, OverrideTable, Word } from '@understudy/evm'
import type { State } from '../state/state.ts'
import type { Queries } from '../storage/database.ts'
import {
  type LocalAccountRecord,
  loadAddressesWithSlots,
  loadLocalAccounts,
} from '../storage/records/state/localState.ts'
import { addSlot, type Keys, noKeys } from './accesses.ts'
import type { AccountField } from './settle.ts'

export type LocalKeysNeeds = {
  queries: Queries
  state: Pick<State, 'latest' | 'follows' | 'seq'>
  overrides: () => OverrideTable | undefined
}

/** Which of the keys that a block accesses are not the live chain's here. */
export class LocalKeys {
  readonly #needs: LocalKeysNeeds
  readonly #accounts: ReadonlyMap<Address, LocalAccountRecord>
  readonly #overridden: ReadonlySet<Address>
  readonly #withSlots: ReadonlySet<Address>
  /** Keys that a transaction of this block left other than the live chain did. */
  readonly #changed = noKeys()

  private constructor(
    needs: LocalKeysNeeds,
    accounts: ReadonlyMap<Address, LocalAccountRecord>,
    withSlots: ReadonlySet<Address>,
  ) {
    this.#needs = needs
    this.#accounts = accounts
    this.#overridden = new Set([...(needs.overrides()?.targets ?? [])].map(([address]) => address))
    this.#withSlots = withSlots
  }

  /** Of the newest state. */
  static async load(addresses: Iterable<Address>, needs: LocalKeysNeeds): Promise<LocalKeys> {
    const { queries, state } = needs
    const all = [...new Set(addresses)]
    const follows = state.follows()
    const accounts = await loadLocalAccounts(queries, all, state.seq())
    for (const [address, { balance, nonce, codeHash, storageSeq }] of accounts)
      if ([balance, nonce, codeHash, storageSeq].every((field) => field === undefined) || follows.hasAccount(address))
        accounts.delete(address)
    return new LocalKeys(needs, accounts, await loadAddressesWithSlots(queries, all))
  }

  /** Whether one of these keys has another value here, or may have. */
  async touches(keys: Keys): Promise<boolean> {
    for (const address of keys.accounts) if (this.hasAccount(address)) return true
    for (const [address, slots] of keys.slots) if (await this.hasSlot(address, [...slots])) return true
    return false
  }

  hasAccount(address: Address): boolean {
    return this.hadAccount(address) || this.#changed.accounts.has(address)
  }

  /** The same before the block. */
  hadAccount(address: Address): boolean {
    return this.#accounts.has(address) || this.#overridden.has(address)
  }

  /** Whether a field was local before the block. */
  hadField(address: Address, field: AccountField): boolean {
    return this.#accounts.get(address)?.[field === 'code' ? 'codeHash' : field] !== undefined
  }

  async hasSlot(address: Address, slots: readonly Word[]): Promise<boolean> {
    const changed = this.#changed.slots.get(address)
    if (changed && slots.some((slot) => changed.has(slot))) return true
    return this.hadSlot(address, slots)
  }

  /** The same before the block. */
  async hadSlot(address: Address, slots: readonly Word[]): Promise<boolean> {
    if (!this.#withSlots.has(address)) return false
    return this.#needs.state.latest().hasLocalSlot(address, slots)
  }

  /** Notes whether a key differs now. */
  setAccount(address: Address, differs: boolean): void {
    if (differs) this.#changed.accounts.add(address)
    else this.#changed.accounts.delete(address)
  }

  setSlot(address: Address, slot: Word, differs: boolean): void {
    if (differs) addSlot(this.#changed, address, slot)
    else this.#changed.slots.get(address)?.delete(slot)
  }
}
