import { z } from 'zod'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOperationParams } from '../../examples.ts'

export const supportedEntryPoints = defineMethod({
  name: 'eth_supportedEntryPoints',
  summary: 'Returns the entry points of ERC-4337 (0.8, 0.7 and 0.6) that have code on this network.',
  role: 'read',
  params: {},
  result: z.array(HexAddress),
  example: { params: [], result: [exampleOperationParams[1]] },
  handler: ({ userOperations }) => userOperations.supported(),
})
