import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawHeader = defineMethod({
  name: 'debug_getRawHeader',
  summary: 'Returns the RLP encoding of a block header. Its hash is the block hash.',
  role: 'read',
  params: { block: BlockTag },
  result: HexBytes,
  // Truncated: the full encoding has hundreds of bytes.
  errors: ['NOT_FOUND', 'BLOCK_PRUNED', 'UNSUPPORTED'],
  example: { params: ['0x1'], result: '0xf902' },
  handler: ({ rawData }, { block }) => rawData.header(block),
})
