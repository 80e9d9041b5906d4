import { Hash } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionOf } from '../../encode/block.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Returns a transaction by its block and index, or null if there is none.',
  role: 'read',
  params: { hash: Hash, index: Quantity64 },
  result: TransactionObject.nullable(),
  example: { params: [exampleTransaction.blockHash, '0x0'], result: exampleTransaction },
  handler: async ({ history }, { hash, index }) =>
    encodeTransactionOf(await history.loadBlock({ hash }, 'full'), index),
})
