import { z } from 'zod'
import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { HexBytes, TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSidecar, encodeUnsigned } from '../../encode/transaction.ts'
import { runErrors } from '../../errorGroups.ts'
import { exampleUnsignedTransaction } from '../../examples.ts'
import { sendTransaction } from './sendTransaction.ts'

export const fillTransaction = defineMethod({
  name: 'eth_fillTransaction',
  summary:
    'Fills in missing transaction fields and returns the transaction with its signing payload. Nothing is signed or sent.',
  role: 'read',
  params: { request: CallRequest },
  result: z.object({ raw: HexBytes, tx: TransactionObject }),
  errors: ['EXECUTION_REVERTED', ...runErrors],
  example: {
    params: sendTransaction.example.params,
    result: {
      raw: '0x02f0827a6980843b9aca0084a3e9ab808252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080c0',
      tx: exampleUnsignedTransaction,
    },
  },
  async handler({ submission, history }, { request }) {
    const { transaction, unsigned, sidecar } = await submission.fill(transactionRequest(request, history.chainId))
    return { raw: unsigned, tx: { ...encodeUnsigned(transaction), ...encodeSidecar(sidecar) } }
  },
})
