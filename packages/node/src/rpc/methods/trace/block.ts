import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { TraceObject } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleTrace } from '../../examples.ts'

export const traceBlockCalls = defineMethod({
  name: 'trace_block',
  summary: 'Returns the calls of all transactions of a block as a list.',
  role: 'read',
  params: { block: BlockTag },
  result: z.array(TraceObject),
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: { params: ['0x1'], result: [exampleTrace] },
  handler: ({ parityTraces }, { block }) => parityTraces.traceBlock(block),
})
