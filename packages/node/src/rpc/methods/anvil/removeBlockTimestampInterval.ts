import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const removeBlockTimestampInterval = defineMethod({
  name: 'anvil_removeBlockTimestampInterval',
  aliases: ['hardhat_removeBlockTimestampInterval', 'tenderly_removeBlockTimestampInterval'],
  summary:
    'Ends a fixed time between blocks: the clock sets timestamps again, and goes on from the newest block. Returns false if there was none.',
  role: 'admin',
  params: {},
  result: z.boolean(),
  example: { params: [], result: true },
  handler: async ({ blockSettings }) => (await blockSettings.setInterval(undefined)) !== undefined,
})
