import { z } from 'zod'
import { Quantity } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const revert = defineMethod({
  name: 'evm_revert',
  aliases: ['anvil_revert'],
  summary:
    'Reverts to a snapshot, with the transactions that waited for a block then, and deletes it and all later ones. Returns false if there is no such snapshot.',
  role: 'admin',
  params: { snapshotId: Quantity },
  result: z.boolean(),
  example: { params: ['0x1'], result: true },
  handler: ({ rewinds }, { snapshotId }) => rewinds.revert(snapshotId),
})
