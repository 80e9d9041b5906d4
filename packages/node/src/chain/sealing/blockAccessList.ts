import type { Address, Done, StateDiff, StateView, Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../../shared/hex.ts'
import { encodeRlp } from '../../shared/rlp/encodeRlp.ts'

/** What a block did with an account; changes are by the index of the transaction that made them, oldest first. */
type Access = {
  writes: Map<Word, [index: number, value: bigint][]>
  reads: Set<Word>
  balances: [index: number, wei: bigint][]
  nonces: [index: number, nonce: bigint][]
  codes: [index: number, code: Uint8Array][]
}

/** The accounts and slots that a block touches, and what it changes (EIP-7928 of 2026-07-09). */
export class BlockAccessList {
  readonly #accesses = new Map<Address, Access>()

  /** The protocol's own writes at the start of the block have index 0. */
  addSystem(diff: StateDiff): void {
    for (const [address, slots] of diff.slots)
      for (const [slot, value] of slots) this.#write(this.#of(address), slot, 0, value)
    this.#addAccounts(0, diff)
  }

  /** Transactions count from 1. `before` is the state before it. */
  add(index: number, result: Pick<Done, 'readSet' | 'diff'>, coinbase: Address, before: StateView): void {
    // It is there even if it gets nothing.
    this.#of(coinbase)
    for (const address of result.readSet.accounts) this.#of(address)
    this.#addChanges(index, result, before)
  }

  /** The protocol's calls after the transactions have the next index. Their sender is not an account that is read. */
  addCall(index: number, result: Pick<Done, 'readSet' | 'diff'>, sender: Address, before: StateView): void {
    for (const address of result.readSet.accounts) if (address !== sender) this.#of(address)
    this.#addChanges(index, result, before)
  }

  #addChanges(index: number, { readSet, diff }: Pick<Done, 'readSet' | 'diff'>, before: StateView): void {
    this.#addAccounts(index, diff)
    for (const [address, slots] of readSet.slots) {
      const access = this.#of(address)
      const written = diff.slots.get(address)
      for (const slot of slots) {
        const value = written?.get(slot)
        if (value !== undefined && value !== before.storage(address, slot)) this.#write(access, slot, index, value)
        else if (!access.writes.has(slot)) access.reads.add(slot)
      }
    }
  }

  #addAccounts(index: number, { accounts }: StateDiff): void {
    for (const [address, { balance, nonce, code }] of accounts) {
      const access = this.#of(address)
      if (balance !== undefined) access.balances.push([index, balance])
      if (nonce !== undefined) access.nonces.push([index, nonce])
      if (code !== undefined) access.codes.push([index, code])
    }
  }

  #write({ writes, reads }: Access, slot: Word, index: number, value: bigint): void {
    const changes = writes.get(slot)
    if (changes) changes.push([index, value])
    else writes.set(slot, [[index, value]])
    reads.delete(slot)
  }

  #of(address: Address): Access {
    const known = this.#accesses.get(address)
    if (known) return known
    const access: Access = { writes: new Map(), reads: new Set(), balances: [], nonces: [], codes: [] }
    this.#accesses.set(address, access)
    return access
  }

  /** Its RLP. */
  encode(): Uint8Array {
    const accounts = [...this.#accesses]
      .sort(byKey)
      .map(([address, { writes, reads, balances, nonces, codes }]) => [
        bytesFromHex(address),
        [...writes].sort(byKey).map(([slot, changes]) => [number(BigInt(slot)), changes.map(indexed(number))]),
        [...reads].sort().map((slot) => number(BigInt(slot))),
        balances.map(indexed(number)),
        nonces.map(indexed(number)),
        codes.map(indexed((code: Uint8Array) => code)),
      ])
    return encodeRlp(accounts)
  }
}

const number = (value: bigint) => bytesFromBigint(value)
const indexed =
  <T>(encode: (value: T) => Uint8Array) =>
  ([index, value]: [number, T]) => [number(BigInt(index)), encode(value)]
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
