import { Hash } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionError } from '../../encode/otterscan.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionError = defineMethod({
  name: 'ots_getTransactionError',
  summary: 'Returns the return data of a failed transaction, or 0x if it did not fail or returned nothing.',
  role: 'read',
  params: { hash: Hash },
  result: HexBytes,
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash], result: '0x' },
  handler: async ({ otterscan }, { hash }) => encodeTransactionError(await otterscan.runTransaction(hash)),
})
