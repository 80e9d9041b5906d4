import { Hash } from '../../codecs/hex.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFound } from '../../encode/origin.ts'
import { encodeTransaction } from '../../encode/transaction.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Returns a sealed or pending transaction, or null if there is none.',
  role: 'read',
  readsPool: 'when null',
  params: { hash: Hash },
  result: TransactionObject.nullable(),
  example: { params: [exampleTransaction.hash], result: exampleTransaction },
  handler: async ({ history }, { hash }) => encodeFound(await history.loadTransaction(hash), encodeTransaction),
  answerNow({ history }, { hash }) {
    const found = history.resident.transaction(hash)
    return found && JSON.stringify(encodeTransaction(found))
  },
})
