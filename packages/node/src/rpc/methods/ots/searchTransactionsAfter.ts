import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeSearchPage, PageSize, SearchPage } from '../../encode/otterscan.ts'
import { exampleReceipt, exampleTransaction } from '../../examples.ts'

export const searchTransactionsAfter = defineMethod({
  name: 'ots_searchTransactionsAfter',
  summary:
    'Returns the transactions after a block in which an address made or received a call, newest first. From block 0, returns the oldest of all.',
  role: 'read',
  params: { address: Address, block: Quantity64, size: PageSize },
  result: SearchPage,
  example: {
    params: [exampleTransaction.from, '0x0', 25],
    result: { txs: [exampleTransaction], receipts: [exampleReceipt], firstPage: true, lastPage: true },
  },
  handler: async ({ otterscan }, { address, block, size }) =>
    encodeSearchPage(await otterscan.search(address, 'after', block === 0n ? undefined : block, size)),
})
