import { rightsOf } from '../../caller.ts'
import { BytesAsHex } from '../../codecs/hex.ts'
import { SealTimeout } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeReceipt } from '../../encode/receipt.ts'
import { encodeEither } from '../../encode/result.ts'
import { submissionErrors } from '../../errorGroups.ts'
import { exampleReceipt } from '../../examples.ts'
import { sendRawTransaction } from './sendRawTransaction.ts'

export const sendRawTransactionSync = defineMethod({
  name: 'eth_sendRawTransactionSync',
  summary: 'Sends a signed transaction, waits until it is sealed, and returns its receipt (EIP-7966).',
  role: 'write',
  params: { transaction: BytesAsHex, timeoutMs: withDefault(SealTimeout, 20_000n) },
  result: ReceiptObject,
  errors: ['NOT_SEALED_IN_TIME', 'DEPOSIT_REFUSED', ...submissionErrors],
  example: { params: sendRawTransaction.example.params, result: exampleReceipt },
  async handler({ submission, receiptWaiter }, { transaction, timeoutMs }, caller) {
    const hash = await submission.submitRaw(transaction, rightsOf(caller))
    return encodeEither(await receiptWaiter.load(hash, Number(timeoutMs)), encodeReceipt)
  },
})
