import { Pool } from '../../codecs/pool.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodePool, showWhole } from '../../encode/poolContent.ts'
import { examplePendingTransaction, exampleTransaction } from '../../examples.ts'

export const poolContent = defineMethod({
  name: 'txpool_content',
  summary:
    'Returns the transactions that wait, by sender and nonce: those that can run, and those that a nonce is missing for.',
  role: 'read',
  params: {},
  result: Pool,
  example: {
    params: [],
    result: { pending: { [exampleTransaction.from]: { '0': examplePendingTransaction } }, queued: {} },
  },
  handler: async ({ submission }) => encodePool(await submission.loadPending(), showWhole),
})
