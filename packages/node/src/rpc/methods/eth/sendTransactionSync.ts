import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { SealTimeout } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeReceipt } from '../../encode/receipt.ts'
import { encodeEither } from '../../encode/result.ts'
import { sendErrors } from '../../errorGroups.ts'
import { exampleReceipt } from '../../examples.ts'
import { sendTransaction } from './sendTransaction.ts'

export const sendTransactionSync = defineMethod({
  name: 'eth_sendTransactionSync',
  summary:
    'Sends an unsigned transaction of a funded or impersonated account, waits until it is sealed, and returns its receipt.',
  role: 'write',
  params: { request: CallRequest, timeoutMs: withDefault(SealTimeout, 20_000n) },
  result: ReceiptObject,
  errors: ['NOT_SEALED_IN_TIME', ...sendErrors],
  example: { params: sendTransaction.example.params, result: exampleReceipt },
  async handler({ submission, history, receiptWaiter }, { request, timeoutMs }) {
    const hash = await submission.send(transactionRequest(request, history.chainId))
    return encodeEither(await receiptWaiter.load(hash, Number(timeoutMs)), encodeReceipt)
  },
})
