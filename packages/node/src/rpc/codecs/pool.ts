import { z } from 'zod'
import { TransactionObject } from './wire.ts'

const byNonce = <Shown extends z.ZodType>(shown: Shown) => z.record(z.string(), shown)

/** Transactions that wait, by nonce. */
export const SenderPool = z.object({ pending: byNonce(TransactionObject), queued: byNonce(TransactionObject) })

/** Transactions that wait, by sender and nonce. */
export const Pool = z.object({
  pending: z.record(z.string(), byNonce(TransactionObject)),
  queued: z.record(z.string(), byNonce(TransactionObject)),
})

/** The same, a line each. */
export const PoolLines = z.object({
  pending: z.record(z.string(), byNonce(z.string())),
  queued: z.record(z.string(), byNonce(z.string())),
})
