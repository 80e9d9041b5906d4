import { DecodableData, Topics } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeEventReading, requireKnown, TenderlyEventReading } from '../../encode/tenderly/decoded.ts'

export const decodeEvent = defineMethod({
  name: 'tenderly_decodeEvent',
  summary: 'Decodes the topics and data of a log by the events that the network knows.',
  role: 'read',
  params: { topics: Topics, data: DecodableData },
  result: TenderlyEventReading,
  fields: {
    topics: 'The topics of the log.',
    data: 'The data of the log.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: [
      [
        '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
        '0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        '0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8',
      ],
      '0x0000000000000000000000000000000000000000000000000000000000000005',
    ],
    result: {
      name: 'Transfer',
      confidence: 1,
      decodedArguments: [
        { value: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', type: 'address', name: 'from', indexed: true },
        { value: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', type: 'address', name: 'to', indexed: true },
        { value: '5', type: 'uint256', name: 'value', indexed: false },
      ],
    },
  },
  handler: async ({ signatures }, { topics, data }) =>
    encodeEventReading(requireKnown('event with the topic', topics[0], await signatures.readEvent({ topics, data }))),
})
