import { Hash } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionOf } from '../../encode/block.ts'

export const getTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Returns a transaction by its block and its place in it; null when there is none.',
  role: 'read',
  params: { hash: Hash, index: Quantity64 },
  result: TransactionObject.nullable(),
  example: { params: ['0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c', '0x0'], result: null },
  handler: async ({ chain }, { hash, index }) => encodeTransactionOf(await chain.loadBlock({ hash }, 'full'), index),
})
