import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawBlock = defineMethod({
  name: 'debug_getRawBlock',
  summary: 'Returns the RLP encoding of a block.',
  role: 'read',
  params: { block: BlockTag },
  result: HexBytes,
  // Truncated: the full encoding has hundreds of bytes.
  errors: ['NOT_FOUND', 'BLOCK_PRUNED', 'UNSUPPORTED'],
  example: { params: ['0x1'], result: '0xf902' },
  handler: ({ rawData }, { block }) => rawData.block(block),
})
