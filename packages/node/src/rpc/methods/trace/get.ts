import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { TraceObject } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTrace, exampleTransaction } from '../../examples.ts'

export const getTrace = defineMethod({
  name: 'trace_get',
  summary: 'Returns one call of a sealed transaction by its position in the call tree, or null if there is none.',
  role: 'read',
  params: { hash: Hash, path: z.array(Quantity64) },
  result: TraceObject.nullable(),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash, []], result: exampleTrace },
  async handler({ parityTraces }, { hash, path }) {
    const traces = await parityTraces.loadCalls(hash)
    return traces.find(({ traceAddress }) => traceAddress.join() === path.join()) ?? null
  },
})
