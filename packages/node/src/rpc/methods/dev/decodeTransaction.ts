import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { DecodedTransactionObject, encodeDecodedTransaction } from '../../encode/decodedTransaction.ts'
import { exampleDecodedTransaction } from '../../examples.ts'

export const decodeTransaction = defineMethod({
  name: 'dev_decodeTransaction',
  summary:
    'Returns the function, inner calls, events and transfers of a transaction, decoded with the currently known ABIs.',
  role: 'read',
  params: { hash: Hash },
  result: DecodedTransactionObject,
  fields: {
    hash: 'Hash of the transaction.',
  },
  errors: ['NOT_FOUND'],
  example: { params: [exampleDecodedTransaction.hash], result: exampleDecodedTransaction },
  handler: async ({ decoder }, { hash }) => encodeDecodedTransaction(await decoder.decode(hash)),
})
