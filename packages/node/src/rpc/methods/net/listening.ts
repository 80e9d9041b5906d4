import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const listening = defineMethod({
  name: 'net_listening',
  summary: 'Returns true: the network is listening.',
  role: 'read',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: () => true,
})
