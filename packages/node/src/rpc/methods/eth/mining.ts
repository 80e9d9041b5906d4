import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const mining = defineMethod({
  name: 'eth_mining',
  summary: 'Returns whether the network seals blocks by itself: false in manual mode.',
  role: 'read',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: ({ mining }) => mining.mode().type !== 'manual',
})
