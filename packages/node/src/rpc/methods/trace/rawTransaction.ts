import { BytesAsHex } from '../../codecs/hex.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { transactionErrors } from '../../errorGroups.ts'
import { exampleTraceResults } from '../../examples.ts'

export const traceRawTransaction = defineMethod({
  name: 'trace_rawTransaction',
  summary: 'Executes a signed transaction on the latest state and returns its traces, without sending it.',
  role: 'read',
  params: { transaction: BytesAsHex, types: TraceTypes },
  result: TraceResults,
  errors: transactionErrors,
  example: { params: ['0x02f8', ['trace']], result: exampleTraceResults },
  handler: ({ parityTraces }, { transaction, types }) => parityTraces.rawTransaction(transaction, types),
})
