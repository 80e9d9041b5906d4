import { z } from 'zod'
import { BlockCount } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

export const rollback = defineMethod({
  name: 'anvil_rollback',
  summary:
    'Removes the latest blocks with their transactions, and direct writes since. Transactions that wait for a block stay.',
  role: 'admin',
  params: { depth: withDefault(BlockCount, 1n) },
  result: z.null(),
  errors: ['BLOCK_FINALIZED'],
  example: { params: ['0x2'], result: null },
  async handler({ rewinds }, { depth }) {
    await rewinds.rollback(depth)
    return null
  },
})
