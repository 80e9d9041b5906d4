import type { Address } from '@understudy/evm'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { Pool } from './pool.ts'

/** What waits of a sender: what can run when its turn comes, and what waits for a nonce before it. */
export type SenderContent = { address: Address; pending: Transaction[]; queued: Transaction[] }

/** What waits, by sender, in the order of nonces. `nonceOf` is each sender's next nonce. */
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
