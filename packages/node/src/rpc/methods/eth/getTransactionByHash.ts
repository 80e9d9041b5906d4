import { chain } from '../../../shared/async/maybePromise.ts'
import { Hash } from '../../codecs/hex.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { foundText, transactionText } from '../../encode/once.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionByHash = defineMethod({
  name: 'eth_getTransactionByHash',
  summary: 'Returns a sealed or pending transaction, or null if there is none.',
  role: 'read',
  readsPool: 'when null',
  params: { hash: Hash },
  result: TransactionObject.nullable(),
  example: { params: [exampleTransaction.hash], result: exampleTransaction },
  handler: ({ history }, { hash }, { budget }) =>
    chain(history.loadTransaction(hash), (found) => foundText(found, transactionText, budget.bytes)),
})
