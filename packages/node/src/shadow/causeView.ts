import type { Account, Address, Hex, Word } from '@understudy/evm'
import type { LoadingView, WantedState } from '../state/view.ts'
import type { LiveAnswer } from '../upstream/cache/baseState.ts'

type Needs = {
  /** The state here, and that of the live chain, before a transaction. */
  here: LoadingView
  live: LoadingView
  /** Which of these accounts and slots are local, and not because a transaction diverged. */
  isRoot: { account(address: Address): Promise<boolean>; slot(address: Address, slot: Word): Promise<boolean> }
}

/**
 * The live chain's state with the changes that were made here, but without what diverged because of them. What differs
 * on it differs by itself; what does not is the consequence of an earlier transaction.
 */
export class CauseView implements LoadingView {
  readonly identity: object = {}
  readonly prefetch = undefined
  readonly #needs: Needs
  readonly #accounts = new Map<Address, LoadingView>()
  readonly #slots = new Map<string, LoadingView>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  account(address: Address): Account | undefined {
    return this.#accounts.get(address)?.account(address)
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    return this.#accounts.get(address)?.code(address, codeHash)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    return this.#slots.get(address + slot)?.storage(address, slot)
  }

  blockHash(number: bigint): Word | undefined {
    return this.#needs.live.blockHash(number)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#needs.live.liveAnswer?.(address, input)
  }

  async load(keys: WantedState, signal?: AbortSignal): Promise<void> {
    const { here, live, isRoot } = this.#needs
    const side = (isHere: boolean) => (isHere ? here : live)
    for (const address of new Set([...keys.accounts, ...keys.codes]))
      if (!this.#accounts.has(address)) this.#accounts.set(address, side(await isRoot.account(address)))
    for (const [address, slot] of keys.slots)
      if (!this.#slots.has(address + slot)) this.#slots.set(address + slot, side(await isRoot.slot(address, slot)))
    for (const view of [here, live]) {
      const ofView = {
        ...keys,
        accounts: keys.accounts.filter((address) => this.#accounts.get(address) === view),
        codes: keys.codes.filter((address) => this.#accounts.get(address) === view),
        slots: keys.slots.filter(([address, slot]) => this.#slots.get(address + slot) === view),
        blockHashes: view === live ? keys.blockHashes : [],
        calls: view === live ? (keys.calls ?? []) : [],
      }
      await view.load(ofView, signal)
    }
  }
}
