import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sendErrors } from '../../errorGroups.ts'

export const sendTransaction = defineMethod({
  name: 'eth_sendTransaction',
  aliases: ['eth_sendUnsignedTransaction'],
  summary: 'Sends an unsigned transaction of a funded or impersonated account and returns its hash.',
  role: 'write',
  params: { request: CallRequest },
  result: HexWord,
  errors: sendErrors,
  example: {
    params: [
      {
        from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        value: '0xde0b6b3a7640000',
      },
    ],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  handler: ({ submission, history }, { request }) => submission.send(transactionRequest(request, history.chainId)),
})
