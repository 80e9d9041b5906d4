import { z } from 'zod'
import { webhookEvents } from '../../../shared/shadow.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeWebhook, exampleWebhook, WebhookObject } from '../../encode/runs/webhook.ts'

export const setWebhook = defineMethod({
  name: 'dev_setWebhook',
  summary:
    'Posts what comes about in each block to a URL, as JSON: divergences that no rule expects (see dev_setShadow), and invariants that the block broke. With a `secret`, the header `x-understudy-signature` is `sha256=` and the HMAC of the body. A message that is not answered with a status of 200 to 299 is posted again, up to six times in all; redirects are not followed. Replaces the webhook that was set; `null` removes it.',
  role: 'admin',
  params: {
    webhook: z.union([
      z.null(),
      z.strictObject({
        url: z.url({ protocol: /^https?$/, error: 'expected a URL that begins with http:// or https://' }).max(2048),
        secret: optional(z.string().min(16, { error: 'has fewer than 16 characters' }).max(256)),
        events: withDefault(z.array(z.enum(webhookEvents)).min(1), [...webhookEvents]),
      }),
    ]),
  },
  result: WebhookObject.nullable(),
  fields: {
    webhook: 'URL, secret and events of the webhook. `null` removes it.',
  },
  errors: ['UNSUPPORTED'],
  example: {
    params: [{ url: 'https://ci.example/shadow', secret: 'a secret of your own' }],
    result: exampleWebhook,
  },
  async handler({ webhook }, { webhook: settings }) {
    await webhook.set(settings ?? undefined)
    const status = webhook.status()
    return status ? encodeWebhook(status) : null
  },
})
