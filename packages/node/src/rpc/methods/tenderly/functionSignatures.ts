import { z } from 'zod'
import { Selector } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSignature, TenderlySignature } from '../../encode/tenderly/decoded.ts'

export const functionSignatures = defineMethod({
  name: 'tenderly_functionSignatures',
  summary: 'Returns the functions with a selector that the network knows; none if it knows none.',
  role: 'read',
  params: { selector: Selector },
  result: z.array(TenderlySignature),
  fields: {
    selector: 'The first 4 bytes of the hash of its signature.',
  },
  example: {
    params: ['0xa9059cbb'],
    result: [
      {
        name: 'transfer',
        inputs: [
          { type: 'address', name: 'recipient' },
          { type: 'uint256', name: 'amount' },
        ],
      },
    ],
  },
  handler: async ({ signatures }, { selector }) => (await signatures.functions(selector)).map(encodeSignature),
})
