import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const getAutomine = defineMethod({
  name: 'anvil_getAutomine',
  aliases: ['hardhat_getAutomine', 'tenderly_getAutomine'],
  summary: 'Returns whether each transaction is sealed at once.',
  role: 'read',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: ({ mining }) => mining.mode().type === 'instant',
})
