import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const removeBlockTimestampInterval = defineMethod({
  name: 'anvil_removeBlockTimestampInterval',
  aliases: ['hardhat_removeBlockTimestampInterval'],
  summary: 'Lets the clock tell the time of blocks again. Returns false when it did already.',
  role: 'admin',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: async ({ blockSettings }) => (await blockSettings.setInterval(undefined)) !== undefined,
})
