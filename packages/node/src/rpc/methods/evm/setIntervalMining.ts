import { z } from 'zod'
import { IntervalSeconds } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

/** In seconds, as in anvil; Hardhat's method of this name takes milliseconds. */
export const setIntervalMining = defineMethod({
  name: 'evm_setIntervalMining',
  aliases: ['anvil_setIntervalMining'],
  summary:
    'Seals blocks only at an interval of seconds, which may have fractions. 0 stops the interval and switches to sealing on request.',
  role: 'admin',
  params: { seconds: IntervalSeconds },
  result: z.null(),
  example: { params: [12], result: null },
  async handler({ mining }, { seconds }) {
    await mining.setMode(
      seconds === 0 ? { type: 'manual' } : { type: 'interval', intervalMs: Math.max(1, Math.round(seconds * 1000)) },
    )
    return null
  },
})
