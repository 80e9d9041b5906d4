import { z } from 'zod'
import { memoize } from '../../../shared/caches/memoize.ts'
import { Hash } from '../../codecs/hex.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { encodeReceipt } from '../../encode/receipt.ts'
import { exampleReceipt } from '../../examples.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize(encodeReceipt)
/** Maximum number of hashes, as in geth. */
const hashLimit = 200

export const transactionReceipts = defineTopic({
  name: 'transactionReceipts',
  summary: 'The receipts of each block that has transactions, or of the given transactions only.',
  options: withDefault(
    z.strictObject({
      transactionHashes: optional(
        z.array(Hash).max(hashLimit, { error: `has more than ${hashLimit} transaction hashes` }),
      ),
    }),
    { transactionHashes: undefined },
  ),
  result: z.array(ReceiptObject),
  example: { options: { transactionHashes: [exampleReceipt.transactionHash] }, result: [exampleReceipt] },
  start({ chainEvents }, { transactionHashes }, notify) {
    const wanted = transactionHashes?.length ? new Set(transactionHashes) : undefined
    return chainEvents.on('block', ({ receipts }) => {
      const matching = wanted ? receipts.filter(({ transaction }) => wanted.has(transaction.hash)) : receipts
      if (matching.length > 0) notify(matching.map(encode))
    })
  },
})
