import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getRawBlockAccessList = defineMethod({
  name: 'debug_getRawBlockAccessList',
  summary: 'Returns the RLP of the block access list of a block (EIP-7928), if its fork has them.',
  role: 'read',
  params: { block: BlockTag },
  result: HexBytes,
  errors: [...blockErrors, 'UNSUPPORTED'],
  example: { params: ['0x1'], result: '0xc0' },
  handler: ({ rawData }, { block }) => rawData.accessList(block),
})
