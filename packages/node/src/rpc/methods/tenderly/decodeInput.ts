import { SelectedData } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeReading, requireKnown, TenderlyReading } from '../../encode/tenderly/decoded.ts'

export const decodeInput = defineMethod({
  name: 'tenderly_decodeInput',
  summary: 'Decodes the data of a call by the signatures that the network knows, whatever contract it is for.',
  role: 'read',
  params: { input: SelectedData },
  result: TenderlyReading,
  fields: {
    input: 'What the call was sent.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: [
      '0xa9059cbb00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c80000000000000000000000000000000000000000000000000000000000000005',
    ],
    result: {
      name: 'transfer',
      confidence: 1,
      decodedArguments: [
        { value: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', type: 'address', name: 'recipient' },
        { value: '5', type: 'uint256', name: 'amount' },
      ],
    },
  },
  handler: async ({ signatures }, { input }) =>
    encodeReading(requireKnown('function with the selector', input.slice(0, 10), await signatures.readInput(input))),
})
