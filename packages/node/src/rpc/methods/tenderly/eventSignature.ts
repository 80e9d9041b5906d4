import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSignature, requireKnown, TenderlySignature } from '../../encode/tenderly/decoded.ts'

export const eventSignature = defineMethod({
  name: 'tenderly_eventSignature',
  summary: 'Returns the event with a first topic, by the events that the network knows.',
  role: 'read',
  params: { topic: Hash },
  result: TenderlySignature,
  fields: {
    topic: 'The hash of its signature.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
    result: {
      name: 'Transfer',
      inputs: [
        { type: 'address', name: 'from' },
        { type: 'address', name: 'to' },
        { type: 'uint256', name: 'value' },
      ],
    },
  },
  handler: async ({ signatures }, { topic }) =>
    encodeSignature(requireKnown('event with the topic', topic, (await signatures.events(topic))[0])),
})
