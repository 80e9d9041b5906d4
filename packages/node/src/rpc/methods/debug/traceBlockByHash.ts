import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { TraceConfig } from '../../codecs/traces/traceConfig.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleBlock, exampleCallTrace, exampleTransaction } from '../../examples.ts'

export const traceBlockByHash = defineMethod({
  name: 'debug_traceBlockByHash',
  summary: 'Replays the transactions of a block and returns their traces, with a tracer or operation by operation.',
  role: 'read',
  isSlow: true,
  params: { hash: Hash, config: optional(TraceConfig) },
  result: z.array(z.object({ txHash: HexWord, result: z.unknown() })),
  errors: ['HEADER_NOT_FOUND', 'TRACER_FAILED', ...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleBlock.hash, { tracer: 'callTracer' }],
    result: [{ txHash: exampleTransaction.hash, result: exampleCallTrace }],
  },
  handler: ({ traces }, { hash, config = {} }) => traces.traceBlock({ hash }, config),
})
