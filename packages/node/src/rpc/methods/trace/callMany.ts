import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tracedCallErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTraceResults } from '../../examples.ts'

export const traceCalls = defineMethod({
  name: 'trace_callMany',
  summary:
    'Executes messages in order on the state of a block, each on the result of the previous one, and returns their traces.',
  role: 'read',
  params: { calls: z.array(z.tuple([CallRequest, TraceTypes])), block: withDefault(BlockTag, 'latest') },
  result: z.array(TraceResults),
  errors: tracedCallErrors,
  example: {
    params: [[[{ to: exampleCallTrace.to, value: exampleCallTrace.value }, ['trace']]], 'latest'],
    result: [exampleTraceResults],
  },
  handler: ({ parityTraces }, { calls, block }) => parityTraces.callMany(calls, block),
})
