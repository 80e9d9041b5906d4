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

/** The contract, before anything diverged. */
export const emptyCounter = (): StateDiff => ({
  accounts: new Map([[divergenceCounter, { balance: 0n, nonce: 1n, code }]]),
  cleared: new Set([divergenceCounter]),
  slots: new Map(),
})

/** What counts one more divergence of a transaction to an account, or of one that creates a contract. */
export async function countDivergence(view: LoadingView, to: Address | undefined): Promise<StateDiff> {
  // A wipe takes the contract away.
  const isThere = (await loadAccount(view, divergenceCounter)).codeHash !== emptyCodeHash
  const counts = new Map<Word, bigint>()
  for (const slot of new Set([wordFromBigint(0n), wordFromBigint(BigInt(to ?? 0n))]))
    counts.set(slot, 1n + (isThere ? await loadStorage(view, divergenceCounter, slot) : 0n))
  return { ...(isThere ? emptyDiff() : emptyCounter()), slots: new Map([[divergenceCounter, counts]]) }
}
