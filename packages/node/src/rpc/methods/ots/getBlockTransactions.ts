import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BlockPage, encodeBlockPage, PageNumber, PageSize } from '../../encode/otterscan.ts'
import { exampleDetailedBlock, exampleReceipt, exampleTransaction } from '../../examples.ts'

export const getBlockTransactions = defineMethod({
  name: 'ots_getBlockTransactions',
  summary:
    'Returns a page of the transactions of a block (page 0 has the last ones), or null if there is no such block.',
  role: 'read',
  params: { block: BlockNumberOrTag, page: PageNumber, size: PageSize },
  result: BlockPage.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: {
    params: ['0x1', 0, 25],
    result: {
      fullblock: { ...exampleDetailedBlock, transactions: [exampleTransaction] },
      receipts: [{ ...exampleReceipt, logs: null, logsBloom: null }],
    },
  },
  async handler({ history }, { block, page, size }) {
    const found = await history.loadBlock(block, 'full')
    return encodeBlockPage(found, await history.loadReceipts(block), { page, size })
  },
})
