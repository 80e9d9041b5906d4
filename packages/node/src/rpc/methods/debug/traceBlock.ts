import { z } from 'zod'
import { BytesAsHex } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { TraceConfig } from '../../codecs/traces/traceConfig.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleCallTrace, exampleTransaction } from '../../examples.ts'

export const traceBlock = defineMethod({
  name: 'debug_traceBlock',
  summary: 'Runs the transactions of an RLP-encoded block on the state of its parent and returns their traces.',
  role: 'read',
  isSlow: true,
  params: { block: BytesAsHex, config: optional(TraceConfig) },
  result: z.array(z.object({ txHash: HexWord, result: z.unknown() })),
  errors: ['HEADER_NOT_FOUND', 'TRACER_FAILED', ...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    // Truncated: the full encoding has hundreds of bytes.
    params: ['0xf902', { tracer: 'callTracer' }],
    result: [{ txHash: exampleTransaction.hash, result: exampleCallTrace }],
  },
  handler: ({ traces }, { block, config = {} }) => traces.traceRawBlock(block, config),
})
