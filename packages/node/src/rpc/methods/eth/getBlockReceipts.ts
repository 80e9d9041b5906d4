import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeReceipt } from '../../encode/receipt.ts'
import { encodeEither } from '../../encode/result.ts'
import { exampleReceipt } from '../../examples.ts'

export const getBlockReceipts = defineMethod({
  name: 'eth_getBlockReceipts',
  summary: 'Returns the receipts of all transactions of a block, or null if there is no such block.',
  role: 'read',
  params: { block: BlockTag },
  result: z.array(ReceiptObject).nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1'], result: [exampleReceipt] },
  async handler({ history }, { block }) {
    const receipts = await history.loadReceipts(block)
    return receipts ? receipts.map((receipt) => encodeEither(receipt, encodeReceipt)) : null
  },
})
