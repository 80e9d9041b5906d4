import { z } from 'zod'
import { intervalOf } from '../../../ethereum/miningMode.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getIntervalMining = defineMethod({
  name: 'anvil_getIntervalMining',
  summary: 'Returns the seconds between two blocks, or null if blocks are not sealed at intervals.',
  role: 'read',
  params: {},
  result: z.number().nullable(),
  example: { params: [], result: 12 },
  handler({ mining }) {
    const intervalMs = intervalOf(mining.mode())
    return intervalMs === undefined ? null : intervalMs / 1000
  },
})
