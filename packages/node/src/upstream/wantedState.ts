import type { Address, Word } from '@understudy/evm'

/** A block of upstream, from whose end untouched state is read. */
export type Base = { number: bigint; hash: Word }

/** Keys of state at one block. */
export type WantedState = {
  accounts: readonly Address[]
  codes: readonly Address[]
  slots: readonly (readonly [Address, Word])[]
  blockHashes: readonly bigint[]
}

export type FetchedState = {
  accounts: Map<Address, { balance: bigint; nonce: bigint; code: Uint8Array }>
  slots: Map<Address, Map<Word, bigint>>
  blockHashes: Map<bigint, Word>
}

/** Reads state at the end of a block, everything in one round trip. What could be read is in `into` also when something could not. */
export type StateReader = (
  block: Base,
  wanted: WantedState,
  signal?: AbortSignal,
  into?: FetchedState,
) => Promise<FetchedState>
