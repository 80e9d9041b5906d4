import type { StateDiff, Word } from '@understudy/evm'
import { encodeRlp } from '../shared/encodeRlp.ts'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'

export function emptyDiff(): StateDiff {
  return { accounts: new Map(), cleared: new Set(), slots: new Map() }
}

/** Merges `later` into `diff`. */
export function mergeDiff(diff: StateDiff, later: StateDiff): void {
  for (const [address, fields] of later.accounts)
    diff.accounts.set(address, { ...diff.accounts.get(address), ...fields })
  for (const address of later.cleared) {
    diff.cleared.add(address)
    diff.slots.delete(address)
  }
  for (const [address, values] of later.slots) {
    const slots = diff.slots.get(address) ?? new Map<Word, bigint>()
    for (const [slot, value] of values) slots.set(slot, value)
    diff.slots.set(address, slots)
  }
}

export function isEmptyDiff(diff: StateDiff): boolean {
  return diff.accounts.size === 0 && diff.cleared.size === 0 && diff.slots.size === 0
}

/**
 * The `stateRoot` of local headers. The root of a forked state cannot be known. This value commits to every local
 * change instead: the hash of the previous commitment and the change, ordered by address and slot.
 */
export function nextCommitment(previous: Word, diff: StateDiff): Word {
  return isEmptyDiff(diff) ? previous : keccak(encodeChange(previous, diff))
}

/** What the next commitment is the hash of. */
export function encodeChange(previous: Word, diff: StateDiff): Uint8Array {
  const addresses = [...new Set([...diff.accounts.keys(), ...diff.cleared, ...diff.slots.keys()])].sort()
  const change = addresses.map((address) => {
    const { balance, nonce, code } = diff.accounts.get(address) ?? {}
    const slots = [...(diff.slots.get(address) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return [
      bytesFromHex(address),
      balance === undefined ? [] : [bytesFromBigint(balance)],
      nonce === undefined ? [] : [bytesFromBigint(nonce)],
      code === undefined ? [] : [code],
      diff.cleared.has(address) ? [new Uint8Array([1])] : [],
      slots.map(([slot, value]) => [bytesFromHex(slot), bytesFromBigint(value)]),
    ]
  })
  return encodeRlp([bytesFromHex(previous), change])
}
