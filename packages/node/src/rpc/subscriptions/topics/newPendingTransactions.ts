import { z } from 'zod'
import type { Transaction } from '../../../ethereum/transaction.ts'
import { memoize } from '../../../shared/caches/memoize.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexWord, TransactionObject } from '../../codecs/wire.ts'
import { encodeTransaction } from '../../encode/transaction.ts'
import { exampleTransaction } from '../../examples.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize((transaction: Transaction) => encodeTransaction({ transaction, block: undefined, index: 0 }))

export const newPendingTransactions = defineTopic({
  name: 'newPendingTransactions',
  summary: 'Each transaction that enters the pool: its hash, or the full transaction if the option is true.',
  options: withDefault(z.boolean(), false),
  result: z.union([HexWord, TransactionObject]),
  example: { result: exampleTransaction.hash },
  start: ({ chainEvents }, isFull, notify) =>
    chainEvents.on('pending', (transaction) => notify(isFull ? encode(transaction) : transaction.hash)),
})
