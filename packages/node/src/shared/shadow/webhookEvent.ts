/** What a webhook is told of. */
export const webhookEvents = ['divergences', 'invariants'] as const
export type WebhookEvent = (typeof webhookEvents)[number]
