import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawReceipts = defineMethod({
  name: 'debug_getRawReceipts',
  summary: 'Returns the receipts of a block in their EIP-2718 encoding.',
  role: 'read',
  params: { block: BlockTag },
  result: z.array(HexBytes),
  // Cut short: the whole has hundreds of bytes.
  example: { params: ['0x1'], result: ['0x02f9'] },
  handler: ({ rawData }, { block }) => rawData.receipts(block),
})
