import type { Word } from '@understudy/evm'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Chain, FromUpstream, Local } from '../chain.ts'

/** Waits for transactions that were sent (EIP-7966). */
export type ReceiptWaiter = {
  /** The receipt, as soon as the transaction is sealed. Throws `NOT_SEALED_IN_TIME` after so many milliseconds. */
  load(hash: Word, timeoutMs: number): Promise<Local<Receipt> | FromUpstream>
}

type Needs = { chain: Pick<Chain, 'events' | 'loadReceipt'>; clock: Clock }

export function createReceiptWaiter({ chain, clock }: Needs): ReceiptWaiter {
  return {
    async load(hash, timeoutMs) {
      let forget = () => {}
      const inTime = new Promise<boolean>((resolve) => {
        const timer = clock.after(timeoutMs, () => resolve(false))
        const unsubscribe = chain.events.on('block', ({ block: { transactions } }) => {
          if (transactions.some((transaction) => transaction.hash === hash)) resolve(true)
        })
        forget = () => {
          timer.cancel()
          unsubscribe()
        }
      })
      try {
        const receipt = (await chain.loadReceipt(hash)) ?? ((await inTime) ? await chain.loadReceipt(hash) : undefined)
        if (receipt) return receipt
      } finally {
        forget()
      }
      throw new NetworkError('NOT_SEALED_IN_TIME', { hash, timeout: timeoutMs }, { data: hash })
    },
  }
}
