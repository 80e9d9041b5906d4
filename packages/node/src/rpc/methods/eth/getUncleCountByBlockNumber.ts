import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeUncleCount } from '../../encode/block.ts'

export const getUncleCountByBlockNumber = defineMethod({
  name: 'eth_getUncleCountByBlockNumber',
  summary:
    'Returns the number of uncles of a block, which is 0 since proof of stake, or null if there is no such block.',
  role: 'read',
  params: { block: BlockNumberOrTag },
  result: HexQuantity.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1'], result: '0x0' },
  handler: async ({ history }, { block }) => encodeUncleCount(await history.loadBlock(block)),
})
