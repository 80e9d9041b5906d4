import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

/** As anvil's method of this name, which takes seconds. */
export const setBlockTimestampIntervalMs = defineMethod({
  name: 'hardhat_setBlockTimestampInterval',
  summary: 'Makes every block so many milliseconds later than the one before, in whole seconds.',
  role: 'admin',
  params: { milliseconds: Quantity64 },
  result: z.null(),
  example: { params: [12000], result: null },
  async handler({ blockSettings }, { milliseconds }) {
    await blockSettings.setInterval(milliseconds / 1000n)
    return null
  },
})
