import type { Address, Hex, Word } from '@understudy/evm'

/** An upstream block, from whose final state untouched keys are read. */
export type Base = { number: bigint; hash: Word }

/** A block whose state is read, as calls name it; see EIP-1898. */
export type BlockAddress = { blockHash: Word }

/** Keys of state at one block. */
export type WantedState = {
  accounts: readonly Address[]
  codes: readonly Address[]
  slots: readonly (readonly [Address, Word])[]
  blockHashes: readonly bigint[]
  /** Calls of contracts that the chain itself answers, with their inputs. */
  calls?: readonly (readonly [Address, Hex])[]
}

export type FetchedState = {
  accounts: Map<Address, { balance: bigint; nonce: bigint; code: Uint8Array }>
  slots: Map<Address, Map<Word, bigint>>
  blockHashes: Map<bigint, Word>
}

/** Reads state at the end of a block in one round trip. If some reads fail, `into` still gets the others. */
export type StateReader = (
  block: Base,
  wanted: WantedState,
  signal?: AbortSignal,
  into?: FetchedState,
) => Promise<FetchedState>
