import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const getTransactionBySenderAndNonce = defineMethod({
  name: 'ots_getTransactionBySenderAndNonce',
  summary: "Returns the hash of a sender's transaction with a nonce, or null if there is none.",
  role: 'read',
  params: { address: Address, nonce: Quantity64 },
  result: HexWord.nullable(),
  example: { params: [exampleTransaction.from, '0x0'], result: exampleTransaction.hash },
  handler: async ({ otterscan }, { address, nonce }) => (await otterscan.loadTransactionOf(address, nonce)) ?? null,
})
