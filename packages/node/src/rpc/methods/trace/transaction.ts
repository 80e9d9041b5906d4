import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { TraceObject } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTrace, exampleTransaction } from '../../examples.ts'

export const traceTransactionCalls = defineMethod({
  name: 'trace_transaction',
  summary: 'Returns the calls of a sealed transaction as a list.',
  role: 'read',
  params: { hash: Hash },
  result: z.array(TraceObject),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash], result: [exampleTrace] },
  handler: ({ parityTraces }, { hash }) => parityTraces.traceTransaction(hash),
})
