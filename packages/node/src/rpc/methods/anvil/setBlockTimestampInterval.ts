import { z } from 'zod'
import { Seconds } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setBlockTimestampInterval = defineMethod({
  name: 'anvil_setBlockTimestampInterval',
  summary: 'Makes every block so many seconds later than the one before, whatever the clock says.',
  role: 'admin',
  params: { seconds: Seconds },
  result: z.null(),
  example: { params: [12], result: null },
  async handler({ blockSettings }, { seconds }) {
    await blockSettings.setInterval(seconds)
    return null
  },
})
