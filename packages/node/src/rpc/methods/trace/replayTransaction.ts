import { Hash } from '../../codecs/hex.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleTraceResults, exampleTransaction } from '../../examples.ts'

export const replayTransaction = defineMethod({
  name: 'trace_replayTransaction',
  summary: 'Replays a sealed transaction and returns its calls and state changes.',
  role: 'read',
  params: { hash: Hash, types: TraceTypes },
  result: TraceResults,
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: { params: [exampleTransaction.hash, ['trace']], result: exampleTraceResults },
  handler: ({ parityTraces }, { hash, types }) => parityTraces.replayTransaction(hash, types),
})
