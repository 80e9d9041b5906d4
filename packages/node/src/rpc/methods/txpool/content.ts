import { defineMethod } from '../../defineMethod.ts'
import { encodePool, Pool, showWhole } from '../../encode/poolContent.ts'
import { examplePendingTransaction, exampleTransaction } from '../../examples.ts'

export const poolContent = defineMethod({
  name: 'txpool_content',
  summary:
    'Returns the transactions in the pool by sender and nonce: executable ones, and queued ones that wait for a nonce.',
  role: 'read',
  readsPool: 'always',
  params: {},
  result: Pool,
  example: {
    params: [],
    result: { pending: { [exampleTransaction.from]: { '0': examplePendingTransaction } }, queued: {} },
  },
  handler: async ({ submission }) => encodePool(await submission.loadPending(), showWhole),
})
