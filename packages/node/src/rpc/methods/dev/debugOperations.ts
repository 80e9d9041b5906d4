import { z } from 'zod'
import { wholeNumber } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { DebugOperationObject, encodeDebugOperation } from '../../encode/runs/debugPosition.ts'

export const debugOperations = defineMethod({
  name: 'dev_debugOperations',
  summary:
    'Lists operations of the run of a debug session from a number on, at most 1000. The session stays where it is.',
  role: 'read',
  isSlow: true,
  params: { id: z.string(), from: wholeNumber(0, 2 ** 32 - 1), count: withDefault(wholeNumber(1, 1000), 100) },
  result: z.array(DebugOperationObject),
  fields: {
    id: 'Id of the debug session.',
    from: 'Number of the first operation of the run to list.',
    count: 'At most so many operations, up to 1000.',
  },
  errors: ['DEBUG_SESSION_NOT_FOUND'],
  example: {
    params: ['k3v0x7p1w9q2m5n8b4c6d7fz', 118, 1],
    result: [{ step: 118, pc: 402, opcode: 'SLOAD', gas: 78_412, depth: 0 }],
  },
  async handler({ debugger: sessions }, { id, from, count }) {
    const operations = await sessions.operations(id, from, count)
    return operations.map(encodeDebugOperation)
  },
})
