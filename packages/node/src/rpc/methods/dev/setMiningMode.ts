import { z } from 'zod'
import { formatMiningMode, miningMode } from '../../../ethereum/miningMode.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setMiningMode = defineMethod({
  name: 'dev_setMiningMode',
  summary: 'Sets the mining mode: instant, instant:SECONDS, manual, interval:SECONDS or replay. Returns the mode.',
  role: 'admin',
  params: { mode: miningMode },
  result: z.string(),
  fields: {
    mode: 'The mining mode. The times in it are seconds.',
  },
  example: { params: ['interval:2'], result: 'interval:2' },
  async handler({ mining }, { mode }) {
    await mining.setMode(mode)
    return formatMiningMode(mining.mode())
  },
})
