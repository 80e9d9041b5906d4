import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const syncing = defineMethod({
  name: 'eth_syncing',
  summary: 'Returns false: the network never syncs.',
  role: 'read',
  params: {},
  result: z.literal(false),
  example: { params: [], result: false },
  handler: () => false as const,
})
