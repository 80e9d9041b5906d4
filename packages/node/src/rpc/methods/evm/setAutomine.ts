import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

/** Off changes instant mode to manual; interval mode is not affected. */
export const setAutomine = defineMethod({
  name: 'evm_setAutomine',
  aliases: ['anvil_setAutomine'],
  summary: 'Turns on or off that each transaction is sealed at once, in its own block.',
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
