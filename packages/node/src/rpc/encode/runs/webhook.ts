import { z } from 'zod'
import { webhookEvents } from '../../../shared/shadow.ts'
import type { BlockReport, WebhookStatus } from '../../../webhook/webhook.ts'
import { encodeDivergence } from './divergence.ts'
import { encodeInvariant } from './invariant.ts'

export const WebhookObject = z
  .object({
    /** Without what may be secret. */
    url: z.string(),
    isSigned: z.boolean(),
    events: z.array(z.enum(webhookEvents)),
    /** Since the start of the network, or since it was set. */
    delivered: z.number(),
    /** Given up after six attempts. */
    dropped: z.number(),
    /** Why the last attempt failed; null if it did not. */
    lastError: z.string().nullable(),
  })
  .meta({ title: 'Webhook' })

export const encodeWebhook = ({ events, lastError, ...status }: WebhookStatus): z.output<typeof WebhookObject> => ({
  ...status,
  events: [...events],
  lastError: lastError ?? null,
})

export const exampleWebhook = {
  url: 'https://ci.example/shadow',
  isSigned: true,
  events: [...webhookEvents],
  delivered: 3,
  dropped: 0,
  lastError: null,
}

/** What a webhook receives of a block. */
export const encodeBlockReport = (
  { block, hash, divergences, truncated, invariants }: BlockReport,
  chainId: bigint,
) => ({
  chainId: Number(chainId),
  block: Number(block),
  hash,
  divergences: divergences.map(encodeDivergence),
  /** Whether there are more divergences than are listed. */
  truncated,
  /** Those that the block broke. */
  invariants: invariants.map(encodeInvariant),
})
