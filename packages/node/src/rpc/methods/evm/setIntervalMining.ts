import { z } from 'zod'
import { IntervalSeconds } from '../../codecs/interval.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Seconds, as anvil takes them; Hardhat's method of this name takes milliseconds. */
export const setIntervalMining = defineMethod({
  name: 'evm_setIntervalMining',
  aliases: ['anvil_setIntervalMining'],
  summary: 'Seals a block every so many seconds (fractions too); 0 stops that, and blocks are sealed on request.',
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
