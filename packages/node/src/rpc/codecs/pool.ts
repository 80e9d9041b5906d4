import { z } from 'zod'
import { TransactionObject } from './wire.ts'

const byNonce = <Shown extends z.ZodType>(shown: Shown) => z.record(z.string(), shown)

/** Pending transactions by nonce. */
export const SenderPool = z.object({ pending: byNonce(TransactionObject), queued: byNonce(TransactionObject) })

/** Pending transactions by sender and nonce. */
export const Pool = z.object({
  pending: z.record(z.string(), byNonce(TransactionObject)),
  queued: z.record(z.string(), byNonce(TransactionObject)),
})

/** The same, one line per transaction. */
export const PoolLines = z.object({
  pending: z.record(z.string(), byNonce(z.string())),
  queued: z.record(z.string(), byNonce(z.string())),
})
