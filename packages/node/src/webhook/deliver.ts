import { createHmac } from 'node:crypto'

/** Where events are posted. */
export type WebhookTarget = {
  url: string
  /** Signs the body; `undefined` for none. */
  secret: string | undefined
}

/** How long an answer may take. */
const timeoutMs = 10_000

/**
 * Posts an event. Rejects with what went wrong, without what was answered: the URL may be reachable from this machine
 * only. Redirects are not followed.
 */
export async function deliver(
  { url, secret }: WebhookTarget,
  { id, body }: { id: string; body: string },
  signal: AbortSignal,
): Promise<void> {
  const signature = secret === undefined ? undefined : createHmac('sha256', secret).update(body).digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'understudy',
      'x-understudy-delivery': id,
      ...(signature !== undefined && { 'x-understudy-signature': `sha256=${signature}` }),
    },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  }).catch((error: Error) => {
    throw new Error(error.name === 'TimeoutError' ? 'no answer in time' : 'no connection', { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the answer was ${response.status}`)
}
