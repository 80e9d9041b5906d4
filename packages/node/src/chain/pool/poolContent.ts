import type { Address } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { Pool } from './pool.ts'

/** The pending transactions of a sender: executable ones, and queued ones after a nonce gap. */
export type SenderContent = { address: Address; pending: Transaction[]; queued: Transaction[] }

/** Pending transactions by sender, in nonce order. `nonceOf` returns the next nonce of a sender. */
export function poolContent(pool: Pool, nonceOf: ReadonlyMap<Address, bigint>): SenderContent[] {
  return pool.senders().map((address) => {
    const entries = [...(pool.ofSender(address)?.values() ?? [])].map(({ transaction }) => transaction)
    entries.sort((a, b) => (a.nonce < b.nonce ? -1 : 1))
    let next = nonceOf.get(address) ?? 0n
    const content: SenderContent = { address, pending: [], queued: [] }
    for (const transaction of entries) {
      if (transaction.nonce === next) {
        content.pending.push(transaction)
        next++
      } else content.queued.push(transaction)
    }
    return content
  })
}
