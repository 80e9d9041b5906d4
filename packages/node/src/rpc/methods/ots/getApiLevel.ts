import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const otterscanApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  summary: 'Returns the level of the Otterscan methods that are offered.',
  role: 'read',
  params: {},
  result: z.int(),
  example: { params: [], result: 8 },
  handler: () => 8,
})
