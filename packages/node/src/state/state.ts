import type { Account, Address, StateView, Word } from '@understudy/evm'
import type { Service } from '../shared/lifecycle.ts'

/** The keys that a view lacks. */
export type StateKeys = {
  accounts: readonly Address[]
  codes: readonly Address[]
  slots: readonly (readonly [Address, Word])[]
  blockHashes: readonly bigint[]
}

/** A view that can fetch what it lacks, all of it in one round trip. */
export type LoadingView = StateView & {
  load(keys: StateKeys, signal?: AbortSignal): Promise<void>
}

/** Direct writes: they take effect at once in `latest`, and are durable before they resolve. */
export type StateWrites = {
  setBalance(address: Address, wei: bigint): Promise<void>
  /** Returns the new balance. */
  addBalance(address: Address, wei: bigint): Promise<bigint>
  setNonce(address: Address, nonce: bigint): Promise<void>
  setCode(address: Address, code: Uint8Array): Promise<void>
  setStorageAt(address: Address, slot: Word, value: bigint): Promise<void>
}

export type State = Service & StateWrites

/** Reads one account through a view, loading it when it must be. */
export declare function loadAccount(view: LoadingView, address: Address): Promise<Account>
export declare function loadCode(view: LoadingView, address: Address): Promise<Uint8Array>
export declare function loadStorage(view: LoadingView, address: Address, slot: Word): Promise<bigint>
