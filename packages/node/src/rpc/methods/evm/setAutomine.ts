import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

/** Off turns instant mode to manual; a network that seals in intervals goes on. */
export const setAutomine = defineMethod({
  name: 'evm_setAutomine',
  aliases: ['anvil_setAutomine'],
  summary: 'Turns on or off that each transaction is sealed at once, in a block of its own.',
  role: 'admin',
  params: { enabled: z.boolean() },
  result: z.null(),
  example: { params: [true], result: null },
  async handler({ mining }, { enabled }) {
    if (enabled) await mining.setMode({ type: 'instant' })
    else if (mining.mode().type === 'instant') await mining.setMode({ type: 'manual' })
    return null
  },
})
