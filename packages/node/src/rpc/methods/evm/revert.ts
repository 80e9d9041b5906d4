import { z } from 'zod'
import { Quantity } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const revert = defineMethod({
  name: 'evm_revert',
  aliases: ['anvil_revert'],
  summary: 'Goes back to a snapshot and forgets it and every later one. Returns false when there is no such snapshot.',
  role: 'admin',
  params: { snapshotId: Quantity },
  result: z.boolean(),
  example: { params: ['0x1'], result: true },
  handler: ({ rewinds }, { snapshotId }) => rewinds.revert(snapshotId),
})
