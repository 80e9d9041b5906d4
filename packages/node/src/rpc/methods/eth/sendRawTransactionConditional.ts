import { rightsOf } from '../../caller.ts'
import { TransactionConditions } from '../../codecs/calls/transactionConditions.ts'
import { BytesAsHex } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { submissionErrors } from '../../errorGroups.ts'
import { sendRawTransaction } from './sendRawTransaction.ts'

export const sendRawTransactionConditional = defineMethod({
  name: 'eth_sendRawTransactionConditional',
  summary: 'Sends a signed transaction if conditions on the latest block and its state hold, and returns its hash.',
  role: 'write',
  params: { transaction: BytesAsHex, conditions: TransactionConditions },
  result: HexWord,
  errors: ['CONDITION_FAILED', 'DEPOSIT_REFUSED', ...submissionErrors],
  example: {
    params: [sendRawTransaction.example.params[0], { blockNumberMax: '0x10' }],
    result: sendRawTransaction.example.result,
  },
  handler: ({ submission }, { transaction, conditions }, caller) =>
    submission.submitConditional(transaction, conditions, rightsOf(caller)),
})
