import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { TraceResults, TraceTypes } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleTraceResults, exampleTransaction } from '../../examples.ts'

export const replayBlockTransactions = defineMethod({
  name: 'trace_replayBlockTransactions',
  summary: 'Replays the transactions of a block and returns their calls and state changes.',
  role: 'read',
  params: { block: BlockTag, types: TraceTypes },
  result: z.array(TraceResults),
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: ['0x1', ['trace']],
    result: [{ ...exampleTraceResults, transactionHash: exampleTransaction.hash }],
  },
  handler: ({ parityTraces }, { block, types }) => parityTraces.replayBlock(block, types),
})
