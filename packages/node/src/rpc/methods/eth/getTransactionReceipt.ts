import { Hash } from '../../codecs/hex.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFound } from '../../encode/origin.ts'
import { encodeReceipt } from '../../encode/receipt.ts'

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Returns the receipt of a sealed transaction; null while there is none.',
  role: 'read',
  params: { hash: Hash },
  result: ReceiptObject.nullable(),
  example: { params: ['0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b'], result: null },
  handler: async ({ chain }, { hash }) => encodeFound(await chain.loadReceipt(hash), encodeReceipt),
})
