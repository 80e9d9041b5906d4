import { defineMethod } from '../../defineMethod.ts'
import { encodeWebhook, exampleWebhook, WebhookObject } from '../../encode/runs/webhook.ts'

export const getWebhook = defineMethod({
  name: 'dev_getWebhook',
  summary: 'Returns the webhook, and how its deliveries went; null if there is none.',
  role: 'admin',
  params: {},
  result: WebhookObject.nullable(),
  example: { params: [], result: exampleWebhook },
  async handler({ webhook }) {
    const status = webhook.status()
    return status ? encodeWebhook(status) : null
  },
})
