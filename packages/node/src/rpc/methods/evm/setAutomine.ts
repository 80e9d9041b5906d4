import { z } from 'zod'
import { intervalOf } from '../../../ethereum/miningMode.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Off leaves the interval of a mode, if it has one; on ends that of interval mode, as in anvil. */
export const setAutomine = defineMethod({
  name: 'evm_setAutomine',
  aliases: ['anvil_setAutomine'],
  summary: 'Turns on or off that each transaction is sealed at once, in its own block.',
  role: 'admin',
  params: { enabled: z.boolean() },
  result: z.null(),
  example: { params: [true], result: null },
  async handler({ mining }, { enabled }) {
    const mode = mining.mode()
    if (enabled === (mode.type === 'instant')) return null
    const intervalMs = intervalOf(mode)
    if (enabled) await mining.setMode({ type: 'instant' })
    else await mining.setMode(intervalMs === undefined ? { type: 'manual' } : { type: 'interval', intervalMs })
    return null
  },
})
