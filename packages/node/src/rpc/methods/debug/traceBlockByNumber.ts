import { z } from 'zod'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { optional } from '../../codecs/optional.ts'
import { TraceConfig } from '../../codecs/traces/traceConfig.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTransaction } from '../../examples.ts'

export const traceBlockByNumber = defineMethod({
  name: 'debug_traceBlockByNumber',
  summary: 'Runs the transactions of a block again and shows what each did, with a tracer or operation by operation.',
  role: 'read',
  isSlow: true,
  params: { block: BlockNumberOrTag, config: optional(TraceConfig) },
  result: z.array(z.object({ txHash: HexWord, result: z.unknown() })),
  errors: ['HEADER_NOT_FOUND', 'TRACER_FAILED', ...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: ['0x1', { tracer: 'callTracer' }],
    result: [{ txHash: exampleTransaction.hash, result: exampleCallTrace }],
  },
  handler: ({ traces }, { block, config = {} }) => traces.traceBlock(block, config),
})
