import { BytesAsHex } from '../../codecs/hex.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTraceResults } from '../../examples.ts'

export const traceRawTransaction = defineMethod({
  name: 'trace_rawTransaction',
  summary: 'Executes a signed transaction on the latest state and returns its traces, without sending it.',
  role: 'read',
  params: { transaction: BytesAsHex, types: TraceTypes },
  result: TraceResults,
  example: { params: ['0x02f8', ['trace']], result: exampleTraceResults },
  handler: ({ parityTraces }, { transaction, types }) => parityTraces.rawTransaction(transaction, types),
})
