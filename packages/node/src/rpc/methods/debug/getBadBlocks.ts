import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const getBadBlocks = defineMethod({
  name: 'debug_getBadBlocks',
  summary: 'Returns an empty list: the network never rejects a block.',
  role: 'read',
  params: {},
  result: z.array(z.unknown()),
  example: { params: [], result: [] },
  handler: () => [],
})
