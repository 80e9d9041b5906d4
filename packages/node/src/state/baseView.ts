import type { Account, Address, Hex, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import type { BaseState, LiveAnswer } from '../upstream/cache/baseState.ts'
import type { Prefetch } from '../upstream/prefetch/prefetch.ts'
import type { WantedState } from '../upstream/wantedState.ts'
import type { LoadingView } from './view.ts'

/** Upstream's state at one of its blocks, without local state. */
export class BaseView implements LoadingView {
  readonly identity: object
  readonly #base: BaseState

  constructor(base: BaseState) {
    this.#base = base
    this.identity = base
  }

  get prefetch(): Prefetch | undefined {
    return this.#base.prefetch
  }

  account(address: Address): Account | undefined {
    return this.#base.account(address)
  }

  code(address: Address, codeHash: Word): Uint8Array | undefined {
    return codeHash === emptyCodeHash ? new Uint8Array() : this.#base.code(address)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    return this.#base.storage(address, slot)
  }

  blockHash(number: bigint): Word | undefined {
    return this.#base.blockHash(number)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#base.liveAnswer?.(address, input)
  }

  load(keys: WantedState, signal?: AbortSignal): Promise<void> {
    return this.#base.load(keys, signal)
  }
}
