import type { Address } from '@understudy/evm'
import { isAnsweredError } from '../../shared/errors.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Pool } from './pool.ts'

/** Transactions of the pool that can pay a base fee, with the nonces of their senders in a state. */
export async function loadExecutable(pool: Pool, view: LoadingView, baseFee: bigint) {
  const senders = pool.senders()
  const unknown = senders.filter((sender) => !view.account(sender))
  try {
    if (unknown.length > 0) await view.load({ accounts: unknown, codes: [], slots: [], blockHashes: [] })
  } catch (error) {
    // If upstream returns an error for one sender, only that sender's transactions wait.
    if (!isAnsweredError(error)) throw error
  }
  const nonces = new Map<Address, bigint>()
  for (const sender of senders) {
    const account = view.account(sender)
    if (account) nonces.set(sender, account.nonce)
  }
  return pool.executable(baseFee, nonces)
}
