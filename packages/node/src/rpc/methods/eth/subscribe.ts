import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { decodeParam, defineMethod } from '../../defineMethod.ts'
import { acrossNetworks } from '../../topics/defineTopic.ts'
import { topics } from '../../topics/index.ts'

const names = topics.map(({ name }) => name)

export const subscribe = defineMethod({
  name: 'eth_subscribe',
  summary: 'Subscribes to events over WebSocket. Returns the id that notifications carry.',
  role: 'read',
  params: {
    topic: z.enum(names, { error: `expected one of ${names.join(', ')}` }),
    options: z.unknown().optional().meta({ title: 'SubscriptionOptions', description: 'by topic; see Subscriptions' }),
  },
  result: HexQuantity,
  errors: ['UNSUPPORTED', 'LIMIT_EXCEEDED', 'TRACKED_ITEM_NOT_FOUND'],
  example: {
    params: ['logs', { address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' }],
    result: '0x9cef478923ff08bf67fde6c64013158d',
  },
  handler(services, { topic, options }, { subscriber }) {
    const { options: schema, start } = topics[names.indexOf(topic)] as (typeof topics)[number]
    const decoded = decodeParam(schema, options, 1, 'options')
    if (!subscriber)
      throw new NetworkError('UNSUPPORTED', {
        what: 'subscriptions over HTTP. Connect by WebSocket, or use eth_newFilter',
      })
    return subscriber.subscribe(acrossNetworks(services, (notify) => start(services, decoded, notify))) as `0x${string}`
  },
})
