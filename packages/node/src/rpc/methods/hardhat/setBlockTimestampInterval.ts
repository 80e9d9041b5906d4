import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Anvil's method of this name takes seconds. */
export const setBlockTimestampIntervalMs = defineMethod({
  name: 'hardhat_setBlockTimestampInterval',
  summary: 'Sets a fixed time between the timestamps of blocks, in milliseconds, rounded to seconds.',
  role: 'admin',
  params: { milliseconds: Quantity64 },
  result: z.null(),
  example: { params: [12000], result: null },
  async handler({ blockSettings }, { milliseconds }) {
    await blockSettings.setInterval(milliseconds / 1000n)
    return null
  },
})
