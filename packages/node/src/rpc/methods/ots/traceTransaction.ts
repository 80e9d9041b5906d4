import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeCalls } from '../../encode/otterscan.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTransaction } from '../../examples.ts'

export const traceForOtterscan = defineMethod({
  name: 'ots_traceTransaction',
  summary: 'Returns the calls of a transaction as a list, each with its depth.',
  role: 'read',
  params: { hash: Hash },
  result: z.array(z.record(z.string(), z.unknown())),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash],
    result: [
      {
        type: 'CALL',
        depth: 0,
        from: exampleCallTrace.from,
        to: exampleCallTrace.to,
        value: exampleCallTrace.value,
        input: '0x',
        output: '0x',
      },
    ],
  },
  handler: async ({ otterscan }, { hash }) => encodeCalls(await otterscan.runTransaction(hash)),
})
