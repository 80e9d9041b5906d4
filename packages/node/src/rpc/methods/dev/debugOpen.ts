import { z } from 'zod'
import { runSubject } from '../../codecs/calls/runs.ts'
import { defineMethod } from '../../defineMethod.ts'
import { DebugPositionObject, encodeDebugPosition } from '../../encode/runs/debugPosition.ts'
import { sealedTransactionErrors } from '../../errorGroups.ts'
import { exampleDebugPosition, exampleTransaction } from '../../examples.ts'

export const debugOpen = defineMethod({
  name: 'dev_debugOpen',
  summary:
    'Opens a debug session: a replay of a transaction, or of a call on the state of a block, that goes to any operation, forwards and back. It begins at the first line of an imported contract. It ends when it was unused for ten minutes, and when the network is reverted or reset. A node has at most 32 sessions with 256 MiB.',
  role: 'read',
  isSlow: true,
  params: runSubject,
  result: z.object({
    id: z.string(),
    /** How many operations run. */
    steps: z.number(),
    position: DebugPositionObject,
  }),
  errors: [...sealedTransactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTransaction.hash],
    result: { id: 'k3v0x7p1w9q2m5n8b4c6d7fz', steps: 312, position: exampleDebugPosition },
  },
  async handler({ debugger: sessions }, { subject, block }, { key }) {
    const { id, steps, position } = await sessions.open(subject, block, key)
    return { id, steps, position: encodeDebugPosition(position) }
  },
})
