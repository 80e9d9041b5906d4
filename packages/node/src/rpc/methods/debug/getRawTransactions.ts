import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawTransactions = defineMethod({
  name: 'debug_getRawTransactions',
  summary: 'Returns the EIP-2718 encoding of the transactions of a block.',
  role: 'read',
  params: { block: BlockTag },
  result: z.array(HexBytes),
  // Truncated: the full encoding has about a hundred bytes.
  errors: ['NOT_FOUND', 'BLOCK_PRUNED', 'UNSUPPORTED'],
  example: { params: ['0x1'], result: ['0x02f8'] },
  handler: ({ rawData }, { block }) => rawData.transactions(block),
})
