import { Hash } from '../../codecs/hex.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFound } from '../../encode/origin.ts'
import { encodeTransaction } from '../../encode/transaction.ts'

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Returns a transaction, sealed or pending; null when there is none.',
  role: 'read',
  params: { hash: Hash },
  result: TransactionObject.nullable(),
  example: { params: ['0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b'], result: null },
  handler: async ({ chain }, { hash }) => encodeFound(await chain.loadTransaction(hash), encodeTransaction),
})
