import type { Account, Address, Hex, Word } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import type { CallHints } from '../prefetch/callHints.ts'
import type { LearnedSets } from '../prefetch/learnedSets.ts'
import { type Prefetch, prefetchAt } from '../prefetch/prefetch.ts'
import { isEmptyWanted, notLoaded } from '../prefetch/wantedState.ts'
import { addressesOf, noFields } from '../stateReader.ts'
import type { Upstream } from '../upstream.ts'
import type { Base, WantedState } from '../wantedState.ts'
import { type BaseState, createBaseState, type LiveAnswer } from './baseState.ts'
import type { CanonicalChain } from './canonicalChain.ts'
import { createLiveAnswers, type LiveAnswers } from './liveAnswers.ts'
import type { SlotSequences } from './slotSequences.ts'
import type { StateStore } from './store.ts'
import type { StoredAnswers } from './storedAnswers.ts'

type Needs = {
  upstream: Pick<Upstream, 'readFields' | 'readState' | 'request' | 'atBlock'>
  chain: CanonicalChain
  store: StateStore
  clock: Clock
  hints: CallHints
  learned: LearnedSets
  sequences: SlotSequences
  answers: StoredAnswers
  /** Called when values were added to the store. */
  onAdded(): void
}

/** Maximum number of upstream states kept as objects; others are recreated on demand. */
const stateLimit = 8

/**
 * Creates the states of upstream's blocks on one store, in which a value serves every block for which it holds. A block
 * that is not part of the known chain has its own values.
 */
export function createUpstreamStates(needs: Needs): (base: Base) => BaseState {
  const states = new Map<Word, BaseState>()
  return (base) => {
    const state = states.get(base.hash) ?? new UpstreamState(base, needs)
    states.delete(base.hash)
    states.set(base.hash, state)
    if (states.size > stateLimit) {
      const [oldest] = states.keys()
      if (oldest !== undefined) states.delete(oldest)
    }
    return state
  }
}

class UpstreamState implements BaseState {
  readonly #number: number
  readonly #hash: Word
  readonly #base: Base
  readonly #needs: Needs
  readonly prefetch: Prefetch
  readonly #blockHashes = new Map<bigint, Word>()
  #own: BaseState | undefined
  #answers: LiveAnswers | undefined

  constructor(base: Base, needs: Needs) {
    const { number, hash } = base
    this.#base = base
    this.#number = Number(number)
    this.#hash = hash
    this.#needs = needs
    const isKnown = (keys: WantedState) => isEmptyWanted(notLoaded(keys, this))
    this.prefetch = prefetchAt(number, needs.hints, needs.learned, isKnown)
  }

  account(address: Address): Account | undefined {
    return this.#shared()?.account(address, this.#number) ?? this.#own?.account(address)
  }

  code(address: Address): Uint8Array | undefined {
    return this.#shared()?.code(address, this.#number) ?? this.#own?.code(address)
  }

  storage(address: Address, slot: Word): bigint | undefined {
    return this.#shared()?.storage(address, slot, this.#number) ?? this.#own?.storage(address, slot)
  }

  blockHash(number: bigint): Word | undefined {
    const known = this.#shared() && number <= this.#number ? this.#needs.chain.hash(Number(number)) : undefined
    return known ?? this.#blockHashes.get(number)
  }

  liveAnswer(address: Address, input: Hex): LiveAnswer | undefined {
    return this.#answers?.get(address, input)
  }

  async load(wanted: WantedState, signal?: AbortSignal): Promise<void> {
    await Promise.all([this.#loadState(this.#withNextSlots(wanted), signal), this.#loadAnswers(wanted, signal)])
  }

  #withNextSlots(wanted: WantedState): WantedState {
    const { accounts, codes, slots } = wanted
    const [only, ...others] = slots
    if (!only || accounts.length + codes.length + others.length > 0) return wanted
    const isKnown = (address: Address, slot: Word) => this.storage(address, slot) !== undefined
    const next = this.#needs.sequences.after(...only, { number: this.#number, isKnown })
    return next.length > 0 ? { ...wanted, slots: [...slots, ...next] } : wanted
  }

  async #loadAnswers({ calls = [] }: WantedState, signal: AbortSignal | undefined): Promise<void> {
    if (calls.length === 0) return
    this.#answers ??= createLiveAnswers(this.#base, { ...this.#needs.upstream, stored: this.#needs.answers })
    await this.#answers.load(calls, signal)
  }

  async #loadState(wanted: WantedState, signal: AbortSignal | undefined): Promise<void> {
    const { upstream, chain, clock, hints, onAdded } = this.#needs
    const store = this.#shared()
    if (!store) return this.#loadOwn(wanted, signal)
    const start = clock.now()
    const block = this.#number
    const { reorgs } = chain
    const addresses = addressesOf(wanted)
    const missing = {
      balances: addresses.filter((address) => store.get(address, 'balance', block) === undefined),
      nonces: addresses.filter((address) => store.get(address, 'nonce', block) === undefined),
      codes: addresses.filter((address) => store.codeHash(address, block) === undefined),
      slots: wanted.slots.filter(([address, slot]) => store.storage(address, slot, block) === undefined),
      blockHashes: wanted.blockHashes.filter((number) => this.blockHash(number) === undefined),
    }
    const fetched = noFields()
    try {
      await upstream.readFields(this.#base, missing, signal, fetched)
      hints.tookRound(clock.now() - start)
    } finally {
      // The chain may have been reorganised in the meantime: the value may be from either branch, and is read again
      // when needed.
      if (chain.reorgs === reorgs && this.#shared()) {
        store.add(fetched, block)
        onAdded()
        for (const [number, hash] of fetched.blockHashes) this.#blockHashes.set(number, hash)
      }
    }
  }

  async #loadOwn(wanted: WantedState, signal: AbortSignal | undefined): Promise<void> {
    this.#own ??= createBaseState(this.#base, this.#needs.upstream.readState)
    try {
      await this.#own.load(wanted, signal)
    } finally {
      for (const number of wanted.blockHashes) {
        const hash = this.#own.blockHash(number)
        if (hash) this.#blockHashes.set(number, hash)
      }
    }
  }

  /** The store, while this block is part of its chain. */
  #shared(): StateStore | undefined {
    const { chain, store } = this.#needs
    return this.#number <= store.timeline.tip && chain.has(this.#number, this.#hash) ? store : undefined
  }
}
