import type { Address, StateDiff, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { bytesFromHex, wordFromBigint } from '../shared/hex.ts'
import { emptyDiff } from '../state/diff.ts'
import { type LoadingView, loadAccount, loadStorage } from '../state/view.ts'

/**
 * A contract that counts divergences, so that tracked items, invariants and calls can read them at every block, and
 * reverts, branches and reorgs take them along. `divergences(address to)` returns how many of the transactions to an
 * account diverged or were refused; of all, for the zero address. The number of an account is in the slot of its address.
 */
export const divergenceCounter: Address = '0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1'

/** Returns the slot that the argument names, whatever the selector. */
const code = bytesFromHex('0x6004355460005260206000f3')

/** What counts one more divergence of a transaction to an account, or of one that creates a contract. */
export async function countDivergence(view: LoadingView, to: Address | undefined): Promise<StateDiff> {
  const diff = emptyDiff()
  const isNew = (await loadAccount(view, divergenceCounter)).codeHash === emptyCodeHash
  if (isNew) {
    diff.accounts.set(divergenceCounter, { balance: 0n, nonce: 1n, code })
    diff.cleared.add(divergenceCounter)
  }
  const counts = new Map<Word, bigint>()
  for (const slot of new Set([wordFromBigint(0n), wordFromBigint(BigInt(to ?? 0n))]))
    counts.set(slot, 1n + (isNew ? 0n : await loadStorage(view, divergenceCounter, slot)))
  diff.slots.set(divergenceCounter, counts)
  return diff
}
