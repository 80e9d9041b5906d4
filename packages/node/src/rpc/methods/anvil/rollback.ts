import { z } from 'zod'
import { BlockCount } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

export const rollback = defineMethod({
  name: 'anvil_rollback',
  summary: 'Removes the latest blocks, and direct writes since.',
  role: 'admin',
  params: { depth: withDefault(BlockCount, 1n) },
  result: z.null(),
  example: { params: ['0x2'], result: null },
  async handler({ rewinds }, { depth }) {
    await rewinds.rollback(depth)
    return null
  },
})
