import type { StateDiff, Word } from '@understudy/evm'
import { isRing } from '../ethereum/systemRings.ts'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'

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
 * change instead: the hash of the previous commitment and the change, ordered by address and slot. Slots that the protocol
 * writes in each block (EIP-2935, EIP-4788) are left out: they follow from the headers.
 */
export function nextCommitment(previous: Word, diff: StateDiff): Word {
  const stored = [...diff.slots.keys()].filter((address) => !isRing(address))
  const addresses = [...new Set([...diff.accounts.keys(), ...diff.cleared, ...stored])].sort()
  if (addresses.length === 0) return previous
  const change = addresses.map((address) => {
    const { balance, nonce, code } = diff.accounts.get(address) ?? {}
    const slots = isRing(address) ? [] : [...(diff.slots.get(address) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return [
      bytesFromHex(address),
      balance === undefined ? [] : [bytesFromBigint(balance)],
      nonce === undefined ? [] : [bytesFromBigint(nonce)],
      code === undefined ? [] : [code],
      diff.cleared.has(address) ? [new Uint8Array([1])] : [],
      slots.map(([slot, value]) => [bytesFromHex(slot), bytesFromBigint(value)]),
    ]
  })
  return keccak(encodeRlp([bytesFromHex(previous), change]))
}
