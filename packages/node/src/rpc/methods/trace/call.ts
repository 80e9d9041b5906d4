import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleCallTrace, exampleTraceResults } from '../../examples.ts'

export const traceSingleCall = defineMethod({
  name: 'trace_call',
  summary: 'Runs a message on the state of a block and shows its calls and what it changes; nothing is kept.',
  role: 'read',
  params: { request: CallRequest, types: TraceTypes, block: withDefault(BlockTag, 'latest') },
  result: TraceResults,
  example: {
    params: [{ to: exampleCallTrace.to, value: exampleCallTrace.value }, ['trace'], 'latest'],
    result: exampleTraceResults,
  },
  handler: ({ parityTraces }, { request, types, block }) => parityTraces.call(request, types, block),
})
