import { SelectedData } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeReading, requireKnown, TenderlyReading } from '../../encode/tenderly/decoded.ts'

export const decodeError = defineMethod({
  name: 'tenderly_decodeError',
  summary: 'Decodes the data that a call reverted with by the errors that the network knows.',
  role: 'read',
  params: { data: SelectedData },
  result: TenderlyReading,
  fields: {
    data: 'What the call reverted with.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: ['0x4e487b710000000000000000000000000000000000000000000000000000000000000011'],
    result: { name: 'Panic', confidence: 1, decodedArguments: [{ value: '17', type: 'uint256', name: 'code' }] },
  },
  handler: async ({ signatures }, { data }) =>
    encodeReading(requireKnown('error with the selector', data.slice(0, 10), await signatures.readError(data))),
})
