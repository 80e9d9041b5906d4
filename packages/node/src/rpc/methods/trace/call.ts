import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tracedCallErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTraceResults } from '../../examples.ts'

export const traceSingleCall = defineMethod({
  name: 'trace_call',
  summary: 'Executes a message on the state of a block and returns its calls and state changes; nothing is stored.',
  role: 'read',
  params: { request: CallRequest, types: TraceTypes, block: withDefault(BlockTag, 'latest') },
  result: TraceResults,
  errors: tracedCallErrors,
  example: {
    params: [{ to: exampleCallTrace.to, value: exampleCallTrace.value }, ['trace'], 'latest'],
    result: exampleTraceResults,
  },
  handler: ({ parityTraces }, { request, types, block }) => parityTraces.call(request, types, block),
})
