import type { Word } from '@understudy/evm'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { Clock } from '../../shared/clock.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { Events } from '../../shared/events.ts'
import type { ChainEvents } from '../chainEvents.ts'
import type { FromUpstream, Local } from '../origins.ts'
import type { History } from './history.ts'

/** Waits for sent transactions (EIP-7966). */
export type ReceiptWaiter = {
  /**
   * Resolves with the receipt when the transaction is sealed. Throws `NOT_SEALED_IN_TIME` after the timeout, in
   * milliseconds.
   */
  load(hash: Word, timeoutMs: number): Promise<Local<Receipt> | FromUpstream>
}

type Needs = { history: Pick<History, 'loadReceipt'>; chainEvents: Events<ChainEvents>; clock: Clock }

export function createReceiptWaiter({ chainEvents, history, clock }: Needs): ReceiptWaiter {
  return {
    async load(hash, timeoutMs) {
      let forget = () => {}
      const inTime = new Promise<boolean>((resolve) => {
        const timer = clock.after(timeoutMs, () => resolve(false))
        const unsubscribe = chainEvents.on('block', ({ block: { transactions } }) => {
          if (transactions.some((transaction) => transaction.hash === hash)) resolve(true)
        })
        forget = () => {
          timer.cancel()
          unsubscribe()
        }
      })
      try {
        const receipt =
          (await history.loadReceipt(hash)) ?? ((await inTime) ? await history.loadReceipt(hash) : undefined)
        if (receipt) return receipt
      } finally {
        forget()
      }
      throw new NetworkError('NOT_SEALED_IN_TIME', { hash, timeout: timeoutMs }, { data: hash })
    },
  }
}
