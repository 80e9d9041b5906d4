import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const getGenesisTime = defineMethod({
  name: 'anvil_getGenesisTime',
  summary: 'Returns the time of the first block of the chain, in seconds since 1970.',
  role: 'read',
  params: {},
  result: z.number(),
  example: { params: [], result: 1438269973 },
  async handler({ history }) {
    const block = await history.loadBlock({ number: 0n })
    if (!block) return 0
    return Number(block.origin === 'local' ? block.value.header.timestamp : block.value.timestamp)
  },
})
