import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const getBadBlocks = defineMethod({
  name: 'debug_getBadBlocks',
  summary: 'Returns an empty list: no block that was seen here was ever refused.',
  role: 'read',
  params: {},
  result: z.array(z.unknown()),
  example: { params: [], result: [] },
  handler: () => [],
})
