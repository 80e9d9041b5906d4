import type { Account, Address, Hex, StateDiff, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import type { MaybePromise } from '../shared/async/maybePromise.ts'
import { keccak } from '../shared/keccak.ts'
import type { LiveAnswer } from '../upstream/cache/baseState.ts'
import type { Prefetch } from '../upstream/prefetch/prefetch.ts'
import type { WantedState } from '../upstream/wantedState.ts'
import { emptyDiff, mergeDiff } from './diff.ts'
import type { FollowSet } from './followSet.ts'
import type { LoadingView } from './view.ts'

/** Uncommitted changes on top of a view: a block being built, or the overrides of a call. */
export class Overlay implements LoadingView {
  readonly diff: StateDiff = emptyDiff()
  /** Hashes of blocks that are not stored yet. */
  readonly blockHashes = new Map<bigint, Word>()
  readonly #parent: LoadingView
  readonly #codeHashes = new Map<Address, Word>()
  #identity: object

  constructor(parent: LoadingView) {
    this.#parent = parent
    this.#identity = parent.identity
  }

  get identity(): object {
    return this.#identity
  }

  get prefetch(): Prefetch | undefined {
    return this.#parent.prefetch
  }

  get follows(): FollowSet | undefined {
    return this.#parent.follows
  }

  /** Applies a change. The overlay then has another state, and another identity. */
  apply(diff: StateDiff): void {
    mergeDiff(this.diff, diff)
    for (const [address, { code }] of diff.accounts) if (code) this.#codeHashes.set(address, keccak(code))
    this.#identity = {}
  }

  /** Undoes writes to followed keys, as at the end of each block. */
  forgetFollowed(): void {
    const { follows } = this
    if (!follows?.strip(this.diff)) return
    for (const address of follows.accounts) this.#codeHashes.delete(address)
    this.#identity = {}
  }

  account(address: Address): Account | undefined {
    const account = this.#parent.account(address)
    const changed = this.diff.accounts.get(address)
    if (!account || !changed) return account
    return {
      balance: changed.balance ?? account.balance,
      nonce: changed.nonce ?? account.nonce,
      codeHash: this.#codeHashes.get(address) ?? account.codeHash,
    }
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    if (codeHash === emptyCodeHash) return new Uint8Array()
    return this.diff.accounts.get(address)?.code ?? this.#parent.code(address, codeHash)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    const value = this.diff.slots.get(address)?.get(slot)
    if (value !== undefined) return value
    return this.diff.cleared.has(address) ? 0n : this.#parent.storage(address, slot)
  }

  hasLocalSlot(address: Address, slots: readonly Word[]): MaybePromise<boolean> {
    const changed = this.diff.slots.get(address)
    if (this.diff.cleared.has(address) || slots.some((slot) => changed?.has(slot))) return true
    return this.#parent.hasLocalSlot?.(address, slots) ?? false
  }

  blockHash(number: bigint): Word | undefined {
    return this.blockHashes.get(number) ?? this.#parent.blockHash(number)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#parent.liveAnswer?.(address, input)
  }

  load(keys: WantedState, signal?: AbortSignal): Promise<void> {
    return this.#parent.load(keys, signal)
  }
}
