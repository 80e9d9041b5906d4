import { z } from 'zod'
import { DebugMove } from '../../codecs/calls/debugMove.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { DebugPositionObject, encodeDebugPosition } from '../../encode/runs/debugPosition.ts'
import { exampleDebugPosition } from '../../examples.ts'

export const debugStep = defineMethod({
  name: 'dev_debugStep',
  summary:
    'Moves a debug session, and returns where it is: to the next line ("in" also enters functions and calls, "over" does not, "out" is the caller), the next operation ("opcode"), storage write ("write"), call of a contract ("call") or failure ("revert"), the "end", an operation ({ step }), or the first of some events ({ lines: [{ file, line }], writes: [{ address, slot }], calls, reverts }). `backwards` goes back in time.',
  role: 'read',
  isSlow: true,
  params: { id: z.string(), to: DebugMove, backwards: withDefault(z.boolean(), false) },
  result: DebugPositionObject,
  fields: {
    id: 'Id of the debug session.',
    to: 'Where the session moves: a word such as `over`, the number of an operation, or events to stop at.',
    backwards: 'Whether the session goes back.',
  },
  errors: ['DEBUG_SESSION_NOT_FOUND'],
  example: { params: ['k3v0x7p1w9q2m5n8b4c6d7fz', 'over'], result: exampleDebugPosition },
  handler: async ({ debugger: sessions }, { id, to, backwards }) =>
    encodeDebugPosition(await sessions.step(id, to, backwards)),
})
