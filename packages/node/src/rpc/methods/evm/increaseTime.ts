import { z } from 'zod'
import { Seconds } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const increaseTime = defineMethod({
  name: 'evm_increaseTime',
  aliases: ['anvil_increaseTime'],
  summary: "Moves the network's clock forward by a number of seconds. Returns the total shift, in seconds.",
  role: 'admin',
  params: { seconds: Seconds },
  result: z.number(),
  example: { params: [3600], result: 3600 },
  handler: async ({ blockSettings }, { seconds }) => Number(await blockSettings.increaseTime(seconds)),
})
