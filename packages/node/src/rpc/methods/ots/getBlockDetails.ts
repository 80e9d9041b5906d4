import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BlockDetails, encodeBlockDetails } from '../../encode/otterscan.ts'
import { exampleDetailedBlock } from '../../examples.ts'

export const getBlockDetails = defineMethod({
  name: 'ots_getBlockDetails',
  summary: 'Returns a block without its transactions, with the total fees, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag },
  result: BlockDetails.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: {
    params: ['0x1'],
    result: {
      block: exampleDetailedBlock,
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: '0x23d1ba040400',
    },
  },
  handler: async ({ history }, { block }) =>
    encodeBlockDetails(await history.loadBlock(block), await history.loadReceipts(block)),
})
