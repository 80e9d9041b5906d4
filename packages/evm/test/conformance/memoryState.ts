import { hexFromBytes } from '../../src/bytes.ts'
import { keccak256, keccak256Hex } from '../../src/keccak.ts'
import type { Account, Address, StateDiff, StateView, Word } from '../../src/port.ts'
import type { StateAccount } from './trie.ts'

/** A whole state in memory, as a view; nothing is ever missing. */
export class MemoryState implements StateView {
  readonly identity = {}
  readonly accounts: Map<string, StateAccount>
  readonly #hashes = new Map<Uint8Array, Word>()

  constructor(accounts: Map<string, StateAccount>) {
    this.accounts = accounts
  }

  account(address: Address): Account {
    const account = this.accounts.get(address)
    const code = account?.code ?? new Uint8Array(0)
    const codeHash = this.#hashes.get(code) ?? keccak256Hex(code)
    this.#hashes.set(code, codeHash)
    return { balance: account?.balance ?? 0n, nonce: account?.nonce ?? 0n, codeHash }
  }

  code(address: Address): Uint8Array {
    return this.accounts.get(address)?.code ?? new Uint8Array(0)
  }

  storage(address: Address, slot: Word): bigint {
    return this.accounts.get(address)?.storage.get(slot) ?? 0n
  }

  /** As in official tests: the hash of the number in decimal digits. */
  blockHash(number: bigint): Word {
    return hexFromBytes(keccak256(new TextEncoder().encode(number.toString())))
  }

  hasStorage(address: Address): boolean {
    return (this.accounts.get(address)?.storage.size ?? 0) > 0
  }
}

/** The state after a diff, the state before untouched. Empty accounts that the diff leaves are not there. */
export function applyDiff(state: Map<string, StateAccount>, diff: StateDiff): Map<string, StateAccount> {
  const after = new Map(state)
  const edit = (address: string): StateAccount => {
    const before = after.get(address)
    const copy = before
      ? { ...before, storage: new Map(before.storage) }
      : { balance: 0n, nonce: 0n, code: new Uint8Array(0), storage: new Map() }
    after.set(address, copy)
    return copy
  }
  for (const address of diff.cleared) edit(address).storage.clear()
  for (const [address, change] of diff.accounts) Object.assign(edit(address), change)
  for (const [address, slots] of diff.slots) {
    const { storage } = edit(address)
    for (const [key, value] of slots) {
      if (value === 0n) storage.delete(key)
      else storage.set(key, value)
    }
  }
  for (const address of [...diff.cleared, ...diff.accounts.keys(), ...diff.slots.keys()]) {
    if (isEmpty(after.get(address))) after.delete(address)
  }
  return after
}

export function isEmpty(account: StateAccount | undefined): boolean {
  return account !== undefined && account.balance === 0n && account.nonce === 0n && account.code.length === 0
}
