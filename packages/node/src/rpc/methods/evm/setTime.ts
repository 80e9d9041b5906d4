import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Larger values are interpreted as milliseconds, as in ganache. This many seconds is the year 5138. */
const mostSeconds = 100_000_000_000n

export const setTime = defineMethod({
  name: 'evm_setTime',
  aliases: ['anvil_setTime'],
  summary:
    "Sets the network's clock, in seconds since 1970 (or milliseconds). It goes on from the newest block if that has a later time. Returns the shift, in seconds.",
  role: 'admin',
  params: { time: Quantity64 },
  result: z.number(),
  example: { params: [1900000000], result: 104727920 },
  async handler({ blockSettings }, { time }) {
    return Number(await blockSettings.setTime(time > mostSeconds ? time / 1000n : time))
  },
})
