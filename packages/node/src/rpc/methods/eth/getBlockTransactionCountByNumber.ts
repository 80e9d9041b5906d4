import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionCount } from '../../encode/block.ts'

export const getBlockTransactionCountByNumber = defineMethod({
  name: 'eth_getBlockTransactionCountByNumber',
  summary: 'Returns the number of transactions of a block, or null if there is no such block.',
  role: 'read',
  params: { block: BlockNumberOrTag },
  result: HexQuantity.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1406f40'], result: '0xbe' },
  handler: async ({ history }, { block }) => encodeTransactionCount(await history.loadBlock(block)),
})
