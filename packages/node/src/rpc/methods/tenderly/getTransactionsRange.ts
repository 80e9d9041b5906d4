import { z } from 'zod'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransaction } from '../../encode/transaction.ts'
import { blockErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'

const Range = z.object({
  from: optional(Address),
  to: optional(Address),
  fromBlock: BlockNumberOrTag,
  toBlock: BlockNumberOrTag,
})

export const getTransactionsRange = defineMethod({
  name: 'tenderly_getTransactionsRange',
  aliases: ['tenderly_getTransactionRange'],
  summary:
    'Returns the transactions of a range of blocks, oldest first; optionally only those from or to an address. At most 1000 transactions of blocks that have at most 10 000, and at most 100 blocks of the live chain.',
  role: 'read',
  isSlow: true,
  params: { range: Range },
  result: z.array(TransactionObject),
  fields: {
    fromBlock: 'The first block.',
    toBlock: 'The last block.',
    from: 'Only transactions of this sender.',
    to: 'Only transactions to this account.',
  },
  errors: blockErrors,
  example: {
    params: [{ from: exampleTransaction.from, fromBlock: '0x1', toBlock: 'latest' }],
    result: [exampleTransaction],
  },
  async handler({ transactionRanges }, { range: { fromBlock, toBlock, from, to } }) {
    const found = await transactionRanges.load({ first: fromBlock, last: toBlock, from, to })
    return found.map((one) => (one.origin === 'local' ? encodeTransaction(one.value) : one.value))
  },
})
