import { z } from 'zod'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransaction } from '../../encode/transaction.ts'
import { examplePendingTransaction } from '../../examples.ts'

export const pendingTransactions = defineMethod({
  name: 'eth_pendingTransactions',
  summary: 'Returns the executable transactions in the pool.',
  role: 'read',
  readsPool: 'always',
  params: {},
  result: z.array(TransactionObject),
  example: { params: [], result: [examplePendingTransaction] },
  async handler({ submission }) {
    const senders = await submission.loadPending()
    return senders.flatMap(({ pending }) =>
      pending.map((transaction) => encodeTransaction({ transaction, block: undefined, index: 0 })),
    )
  },
})
