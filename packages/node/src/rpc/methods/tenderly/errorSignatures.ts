import { z } from 'zod'
import { Selector } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSignature, TenderlySignature } from '../../encode/tenderly/decoded.ts'

export const errorSignatures = defineMethod({
  name: 'tenderly_errorSignatures',
  summary: 'Returns the errors with a selector that the network knows; none if it knows none.',
  role: 'read',
  params: { selector: Selector },
  result: z.array(TenderlySignature),
  fields: {
    selector: 'The first 4 bytes of the hash of its signature.',
  },
  example: { params: ['0x4e487b71'], result: [{ name: 'Panic', inputs: [{ type: 'uint256', name: 'code' }] }] },
  handler: async ({ signatures }, { selector }) => (await signatures.errors(selector)).map(encodeSignature),
})
