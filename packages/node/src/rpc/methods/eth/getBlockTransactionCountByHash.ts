import { Hash } from '../../codecs/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionCount } from '../../encode/block.ts'

export const getBlockTransactionCountByHash = defineMethod({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Returns the number of transactions of a block, or null if there is no such block.',
  role: 'read',
  params: { hash: Hash },
  result: HexQuantity.nullable(),
  example: { params: ['0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c'], result: '0xbe' },
  handler: async ({ history }, { hash }) => encodeTransactionCount(await history.loadBlock({ hash })),
})
