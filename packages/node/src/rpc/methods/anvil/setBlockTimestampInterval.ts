import { z } from 'zod'
import { Seconds } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setBlockTimestampInterval = defineMethod({
  name: 'anvil_setBlockTimestampInterval',
  aliases: ['tenderly_setBlockTimestampInterval'],
  summary: 'Sets a fixed number of seconds between the timestamps of blocks, regardless of the clock.',
  role: 'admin',
  params: { seconds: Seconds },
  result: z.null(),
  example: { params: [12], result: null },
  async handler({ blockSettings }, { seconds }) {
    await blockSettings.setInterval(seconds)
    return null
  },
})
