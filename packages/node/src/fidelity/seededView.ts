import type { Account, Address, Hex, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { LoadingView, WantedState } from '../state/view.ts'
import type { LiveAnswer } from '../upstream/cache/baseState.ts'
import { wordOf } from '../upstream/changes/accessLists.ts'
import type { Prestate } from './liveBlock.ts'

type Seed = Account & { code: Uint8Array }

/** A state that takes values from traces of upstream's, so that they are not fetched one by one. */
export class SeededView implements LoadingView {
  readonly identity: object = {}
  readonly prefetch = undefined
  readonly #parent: LoadingView
  readonly #accounts = new Map<Address, Seed>()
  readonly #slots = new Map<Address, Map<Word, bigint>>()

  /** Called once, before the first load of what the traces do not have. */
  onFirstLoad: (() => Promise<void>) | undefined

  constructor(parent: LoadingView) {
    this.#parent = parent
  }

  /** The same state, with what all of these transactions found. */
  seededWith(prestates: readonly Prestate[]): SeededView {
    const view = new SeededView(this.#parent)
    for (const prestate of prestates) view.seed(prestate)
    return view
  }

  /**
   * Takes what a transaction found, where nothing is known: what an earlier one found was before that. What the state
   * below knows is taken as well: were it forgotten there, a later transaction's would stand for it.
   */
  seed(prestate: Prestate): void {
    for (const [address, before] of Object.entries(prestate) as [Address, Prestate[Address]][]) {
      if (!this.#accounts.has(address)) this.#accounts.set(address, this.#known(address) ?? seedFrom(before))
      const slots = this.#slots.get(address) ?? new Map<Word, bigint>()
      for (const [key, value] of Object.entries(before.storage ?? {})) {
        const slot = wordOf(key)
        if (!slots.has(slot)) slots.set(slot, this.#parent.storage(address, slot) ?? BigInt(value))
      }
      if (slots.size > 0) this.#slots.set(address, slots)
    }
  }

  #known(address: Address): Seed | undefined {
    const account = this.#parent.account(address)
    const code = account && this.#parent.code(address, account.codeHash)
    return code && { ...account, code }
  }

  account(address: Address): Account | undefined {
    return this.#accounts.get(address) ?? this.#parent.account(address)
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    return this.#accounts.get(address)?.code ?? this.#parent.code(address, codeHash)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    return this.#slots.get(address)?.get(slot) ?? this.#parent.storage(address, slot)
  }

  blockHash(number: bigint): Word | undefined {
    return this.#parent.blockHash(number)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#parent.liveAnswer?.(address, input)
  }

  async load(keys: WantedState, signal?: AbortSignal): Promise<void> {
    const before = this.onFirstLoad
    this.onFirstLoad = undefined
    await before?.()
    await this.#parent.load(keys, signal)
  }
}

function seedFrom({ balance = '0x0', nonce = 0, code = '0x' }: Prestate[Address]): Seed {
  const bytes = bytesFromHex(code)
  const codeHash = bytes.length === 0 ? emptyCodeHash : keccak(bytes)
  return { balance: BigInt(balance), nonce: BigInt(nonce), codeHash, code: bytes }
}
