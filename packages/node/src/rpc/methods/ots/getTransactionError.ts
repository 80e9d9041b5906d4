import { Hash } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionError } from '../../encode/otterscan.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionError = defineMethod({
  name: 'ots_getTransactionError',
  summary: 'Returns what a failed transaction returned; 0x when it did not fail, or returned nothing.',
  role: 'read',
  params: { hash: Hash },
  result: HexBytes,
  example: { params: [exampleTransaction.hash], result: '0x' },
  handler: async ({ otterscan }, { hash }) => encodeTransactionError(await otterscan.runTransaction(hash)),
})
