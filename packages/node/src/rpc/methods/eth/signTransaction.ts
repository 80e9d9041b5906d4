import { z } from 'zod'
import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { HexBytes, TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSidecar, encodeSigned } from '../../encode/transaction.ts'
import { runErrors } from '../../errorGroups.ts'
import { exampleSignedTransaction } from '../../examples.ts'
import { sendRawTransaction } from './sendRawTransaction.ts'
import { sendTransaction } from './sendTransaction.ts'

export const signTransaction = defineMethod({
  name: 'eth_signTransaction',
  summary: 'Fills in and signs a transaction with the key of a funded account, without sending it.',
  role: 'write',
  params: { request: CallRequest },
  result: z.object({ raw: HexBytes, tx: TransactionObject }),
  errors: ['NOT_IMPERSONATED', 'UNSUPPORTED', 'EXECUTION_REVERTED', ...runErrors],
  example: {
    params: sendTransaction.example.params,
    result: { raw: sendRawTransaction.example.params[0], tx: exampleSignedTransaction },
  },
  async handler({ submission, history }, { request }) {
    const { transaction, raw, sidecar } = await submission.sign(transactionRequest(request, history.chainId))
    return { raw, tx: { ...encodeSigned(transaction), ...encodeSidecar(sidecar) } }
  },
})
