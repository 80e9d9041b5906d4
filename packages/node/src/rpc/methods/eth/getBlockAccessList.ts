import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getBlockAccessList = defineMethod({
  name: 'eth_getBlockAccessList',
  summary: 'Returns the block access list of a block (EIP-7928), if its fork has them.',
  role: 'read',
  params: { block: BlockTag },
  result: z.unknown(),
  errors: [...blockErrors, 'UNSUPPORTED'],
  example: { params: ['0x1'], result: [] },
  handler: ({ rawData }, { block }) => rawData.decodedAccessList(block),
})
