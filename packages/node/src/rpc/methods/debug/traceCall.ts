import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { TraceCallConfig } from '../../codecs/traces/traceConfig.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleCallTrace } from '../../examples.ts'

export const traceCall = defineMethod({
  name: 'debug_traceCall',
  summary: 'Executes a message on the state of a block and returns its trace. The message may fail; nothing is stored.',
  role: 'read',
  isSlow: true,
  params: { request: CallRequest, block: withDefault(BlockTag, 'latest'), config: optional(TraceCallConfig) },
  result: z.unknown(),
  errors: ['TRACER_FAILED', ...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [
      { from: exampleCallTrace.from, to: exampleCallTrace.to, value: exampleCallTrace.value, gas: '0x5208' },
      'latest',
      { tracer: 'callTracer' },
    ],
    result: exampleCallTrace,
  },
  handler: ({ traces }, { request, block, config: given }) => {
    const { config = {}, overrides = {}, transactionIndex } = given ?? {}
    return traces.traceCall(request, { block, transactionIndex }, overrides, config)
  },
})
