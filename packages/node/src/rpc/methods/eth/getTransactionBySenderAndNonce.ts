import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFound } from '../../encode/result.ts'
import { encodeTransaction } from '../../encode/transaction.ts'
import { exampleTransaction } from '../../examples.ts'

export const transactionBySenderAndNonce = defineMethod({
  name: 'eth_getTransactionBySenderAndNonce',
  summary: "Returns a sender's transaction with a nonce, sealed or pending, or null if there is none.",
  role: 'read',
  params: { address: Address, nonce: Quantity64 },
  result: TransactionObject.nullable(),
  example: { params: [exampleTransaction.from, '0x0'], result: exampleTransaction },
  async handler({ submission, otterscan, history }, { address, nonce }) {
    const hash = submission.findPending(address, nonce)?.hash ?? (await otterscan.loadTransactionOf(address, nonce))
    return encodeFound(hash && (await history.loadTransaction(hash)), encodeTransaction)
  },
})
