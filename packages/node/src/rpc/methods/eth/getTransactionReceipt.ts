import { Hash } from '../../codecs/hex.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { receiptText } from '../../encode/once.ts'
import { encodeFound } from '../../encode/origin.ts'
import { encodeReceipt } from '../../encode/receipt.ts'
import { exampleReceipt } from '../../examples.ts'

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Returns the receipt of a sealed transaction, or null if there is none yet.',
  role: 'read',
  params: { hash: Hash },
  result: ReceiptObject.nullable(),
  example: { params: [exampleReceipt.transactionHash], result: exampleReceipt },
  handler: async ({ history }, { hash }) => encodeFound(await history.loadReceipt(hash), encodeReceipt),
  answerNow({ history }, { hash }) {
    const found = history.resident.receipt(hash)
    return found && receiptText(found)
  },
})
