import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionOf } from '../../encode/block.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary: 'Returns a transaction by its block and index, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag, index: Quantity64 },
  result: TransactionObject.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1', '0x0'], result: exampleTransaction },
  handler: async ({ history }, { block, index }) => encodeTransactionOf(await history.loadBlock(block, 'full'), index),
})
