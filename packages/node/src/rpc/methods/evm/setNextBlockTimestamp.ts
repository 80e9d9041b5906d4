import { z } from 'zod'
import { Seconds } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setNextBlockTimestamp = defineMethod({
  name: 'evm_setNextBlockTimestamp',
  aliases: ['anvil_setNextBlockTimestamp', 'tenderly_setNextBlockTimestamp'],
  summary:
    'Sets the timestamp of the next block, in seconds since 1970, which must be later than that of the newest. Later blocks continue from there.',
  role: 'admin',
  params: { timestamp: Seconds },
  result: z.null(),
  example: { params: [1900000000], result: null },
  async handler({ blockSettings }, { timestamp }) {
    await blockSettings.setNextTimestamp(timestamp)
    return null
  },
})
