import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const mining = defineMethod({
  name: 'eth_mining',
  summary: 'Returns true while the network seals blocks by itself; it does not in manual mode.',
  role: 'read',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: ({ mining }) => mining.mode().type !== 'manual',
})
