import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { BlockDetails, encodeBlockDetails } from '../../encode/otterscan.ts'
import { exampleBlock, exampleDetailedBlock } from '../../examples.ts'

export const getBlockDetailsByHash = defineMethod({
  name: 'ots_getBlockDetailsByHash',
  summary: 'Returns a block without its transactions, with the total fees, or null if there is none.',
  role: 'read',
  params: { hash: Hash },
  result: BlockDetails.nullable(),
  example: {
    params: [exampleBlock.hash],
    result: {
      block: exampleDetailedBlock,
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: '0x23d1ba040400',
    },
  },
  handler: async ({ history }, { hash }) =>
    encodeBlockDetails(await history.loadBlock({ hash }), await history.loadReceipts({ hash })),
})
