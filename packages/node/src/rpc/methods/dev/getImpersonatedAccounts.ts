import { z } from 'zod'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getImpersonatedAccounts = defineMethod({
  name: 'dev_getImpersonatedAccounts',
  summary: 'Returns the impersonated addresses, which can send without a signature, in lowercase.',
  role: 'read',
  params: {},
  result: z.array(HexAddress),
  example: { params: [], result: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'] },
  handler: ({ senders }) => senders.impersonated(),
})
