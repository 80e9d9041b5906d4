import { defineMethod } from '../../defineMethod.ts'
import { encodePool, PoolLines, showLine } from '../../encode/poolContent.ts'
import { exampleTransaction } from '../../examples.ts'

export const poolInspect = defineMethod({
  name: 'txpool_inspect',
  summary: 'Returns the transactions in the pool by sender and nonce, one line each.',
  role: 'read',
  readsPool: 'always',
  params: {},
  result: PoolLines,
  example: {
    params: [],
    result: {
      pending: {
        [exampleTransaction.from]: {
          '0': `${exampleTransaction.to}: 1000000000000000000 wei + 21000 gas × 2750000000 wei`,
        },
      },
      queued: {},
    },
  },
  handler: async ({ submission }) => encodePool(await submission.loadPending(), showLine),
})
