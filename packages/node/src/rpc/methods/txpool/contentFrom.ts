import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSenderPool, SenderPool, showWhole } from '../../encode/poolContent.ts'
import { examplePendingTransaction, exampleTransaction } from '../../examples.ts'

export const poolContentFrom = defineMethod({
  name: 'txpool_contentFrom',
  summary: 'Returns the transactions of a sender in the pool, by nonce.',
  role: 'read',
  readsPool: 'always',
  params: { address: Address },
  result: SenderPool,
  example: {
    params: [exampleTransaction.from],
    result: { pending: { '0': examplePendingTransaction }, queued: {} },
  },
  async handler({ submission }, { address }) {
    const senders = await submission.loadPending()
    return encodeSenderPool(
      senders.find((sender) => sender.address === address),
      showWhole,
    )
  },
})
