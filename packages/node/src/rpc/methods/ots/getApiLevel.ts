import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const otterscanApiLevel = defineMethod({
  name: 'ots_getApiLevel',
  summary: 'Returns the supported level of the Otterscan API.',
  role: 'read',
  params: {},
  result: z.int(),
  example: { params: [], result: 8 },
  handler: () => 8,
})
