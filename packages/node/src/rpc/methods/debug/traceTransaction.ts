import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { TraceConfig } from '../../codecs/traces/traceConfig.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTransaction } from '../../examples.ts'

export const traceTransaction = defineMethod({
  name: 'debug_traceTransaction',
  summary:
    'Replays a sealed transaction on its original state and returns its trace, with a tracer or operation by operation.',
  role: 'read',
  isSlow: true,
  params: { hash: Hash, config: optional(TraceConfig) },
  result: z.unknown(),
  errors: ['TRACER_FAILED', ...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash, { tracer: 'callTracer' }], result: exampleCallTrace },
  handler: ({ traces }, { hash, config = {} }) => traces.traceTransaction(hash, config),
})
