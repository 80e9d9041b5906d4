import { z } from 'zod'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { optional } from '../../codecs/optional.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const getModifiedAccountsByNumber = defineMethod({
  name: 'debug_getModifiedAccountsByNumber',
  summary:
    'Returns the accounts that changed in a block, or after one block until another. Blocks are named by number.',
  role: 'read',
  params: { start: BlockNumberOrTag, end: optional(BlockNumberOrTag) },
  result: z.array(HexAddress),
  errors: [...blockErrors, 'UNSUPPORTED', 'LIMIT_EXCEEDED'],
  example: { params: ['0x1'], result: [exampleTransaction.from, exampleTransaction.to] },
  handler: ({ loadModifiedAccounts }, { start, end }) => loadModifiedAccounts(start, end),
})
