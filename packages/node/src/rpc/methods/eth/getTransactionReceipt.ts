import { chain } from '../../../shared/async/maybePromise.ts'
import { Hash } from '../../codecs/hex.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { foundText, receiptText } from '../../encode/once.ts'
import { exampleReceipt } from '../../examples.ts'

export const getTransactionReceipt = defineMethod({
  name: 'eth_getTransactionReceipt',
  summary: 'Returns the receipt of a sealed transaction, or null if there is none yet.',
  role: 'read',
  params: { hash: Hash },
  result: ReceiptObject.nullable(),
  example: { params: [exampleReceipt.transactionHash], result: exampleReceipt },
  handler: ({ history }, { hash }, { budget }) =>
    chain(history.loadReceipt(hash), (found) => foundText(found, receiptText, budget.bytes)),
})
