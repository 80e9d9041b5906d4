import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { HexAddress, HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeOperation } from '../../encode/otterscan.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

export const getInternalOperations = defineMethod({
  name: 'ots_getInternalOperations',
  summary: 'Returns the ether transfers inside a transaction, and the contracts that it created and destroyed.',
  role: 'read',
  params: { hash: Hash },
  result: z.array(z.object({ type: z.int(), from: HexAddress, to: HexAddress, value: HexQuantity })),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash], result: [] },
  handler: async ({ otterscan }, { hash }) => (await otterscan.loadOperations(hash)).map(encodeOperation),
})
