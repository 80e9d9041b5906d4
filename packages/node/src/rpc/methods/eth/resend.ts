import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { Quantity, Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sendErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const resend = defineMethod({
  name: 'eth_resend',
  summary: 'Replaces a pending transaction, found by its sender, nonce and content, and returns the new hash.',
  role: 'write',
  params: { request: CallRequest, gasPrice: optional(Quantity), gas: optional(Quantity64) },
  result: HexWord,
  errors: ['NOT_FOUND', ...sendErrors],
  example: {
    params: [
      { from: exampleTransaction.from, to: exampleTransaction.to, nonce: '0x0', value: exampleTransaction.value },
      '0x77359400',
    ],
    result: exampleTransaction.hash,
  },
  handler: ({ submission, history }, { request, gasPrice, gas }) =>
    submission.resend(transactionRequest(request, history.chainId), { gasPrice, gas }),
})
