import type { Account, Address, ContractAnswer, Hex, Word } from '@understudy/evm'
import { emptyCodeHash, zeroWord } from '../../ethereum/constants.ts'
import { keccak } from '../../shared/keccak.ts'
import type { Prefetch } from '../prefetch/prefetch.ts'
import type { Base, FetchedState, StateReader, WantedState } from '../wantedState.ts'

export type LiveAnswer = Pick<ContractAnswer, 'output' | 'isReverted'>

/** Upstream's state at one block, as far as it was fetched: `undefined` means not loaded. */
export type BaseState = {
  account(address: Address): Account | undefined
  code(address: Address): Uint8Array | undefined
  storage(address: Address, slot: Word): bigint | undefined
  blockHash(number: bigint): Word | undefined
  /** Rejects if a key cannot be fetched; the others are loaded as far as upstream answered. */
  load(wanted: WantedState, signal?: AbortSignal): Promise<void>
  /** What a contract of the chain answers to an input. Absent if there is no chain. */
  liveAnswer?(address: Address, input: Hex): LiveAnswer | undefined
  /** Absent if nothing is fetched remotely. */
  readonly prefetch?: Prefetch | undefined
}

/**
 * Maximum number of accounts and slots in one block's cache before it is cleared. About 200 bytes each, without code.
 */
const cacheLimit = 250_000

/** The state of one block, without sharing values with other blocks. */
export function createBaseState(block: Base, read: StateReader): BaseState {
  const accounts = new Map<Address, Account & { code: Uint8Array }>()
  const slots = new Map<Address, Map<Word, bigint>>()
  const blockHashes = new Map<bigint, Word>()
  let size = 0

  return {
    account: (address) => accounts.get(address),
    code: (address) => accounts.get(address)?.code,
    storage: (address, slot) => slots.get(address)?.get(slot),
    blockHash: (number) => blockHashes.get(number),
    async load(wanted, signal) {
      let fetched: FetchedState = { accounts: new Map(), slots: new Map(), blockHashes: new Map() }
      try {
        fetched = await read(block, wanted, signal, fetched)
      } finally {
        keep(fetched)
      }
    },
  }

  function keep(fetched: FetchedState): void {
    if (size > cacheLimit) {
      size = 0
      accounts.clear()
      slots.clear()
    }
    for (const [address, { balance, nonce, code }] of fetched.accounts)
      accounts.set(address, { balance, nonce, code, codeHash: keccak(code) })
    for (const [address, values] of fetched.slots) {
      const known = slots.get(address) ?? new Map<Word, bigint>()
      for (const [slot, value] of values) known.set(slot, value)
      slots.set(address, known)
      size += values.size
    }
    for (const [number, hash] of fetched.blockHashes) blockHashes.set(number, hash)
    size += fetched.accounts.size
  }
}

const nothing: Account = { balance: 0n, nonce: 0n, codeHash: emptyCodeHash }

/** An account with which a network begins. */
export type AllocatedAccount = {
  balance: bigint
  nonce: bigint
  code: Uint8Array
  storage: ReadonlyMap<Word, bigint>
}

/** The state below a network that forks nothing: empty, but for the accounts with which it begins. */
export function allocatedBaseState(alloc: ReadonlyMap<Address, AllocatedAccount>): BaseState {
  const accounts = new Map<Address, Account>()
  for (const [address, { balance, nonce, code }] of alloc)
    accounts.set(address, { balance, nonce, codeHash: keccak(code) })
  return {
    account: (address) => accounts.get(address) ?? nothing,
    code: (address) => alloc.get(address)?.code ?? new Uint8Array(),
    storage: (address, slot) => alloc.get(address)?.storage.get(slot) ?? 0n,
    blockHash: () => zeroWord,
    load: async () => {},
  }
}
