import { BytesAsHex } from '../../codecs/hex.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTraceResults } from '../../examples.ts'

export const traceRawTransaction = defineMethod({
  name: 'trace_rawTransaction',
  summary: 'Runs a signed transaction after the newest block and shows what it would do; it is not sent.',
  role: 'read',
  params: { transaction: BytesAsHex, types: TraceTypes },
  result: TraceResults,
  example: { params: ['0x02f8', ['trace']], result: exampleTraceResults },
  handler: ({ parityTraces }, { transaction, types }) => parityTraces.rawTransaction(transaction, types),
})
