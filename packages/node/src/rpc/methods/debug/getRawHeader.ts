import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawHeader = defineMethod({
  name: 'debug_getRawHeader',
  summary: 'Returns the header of a block in its RLP encoding, of which the hash is that of the block.',
  role: 'read',
  params: { block: BlockTag },
  result: HexBytes,
  // Cut short: the whole has hundreds of bytes.
  example: { params: ['0x1'], result: '0xf902' },
  handler: ({ rawData }, { block }) => rawData.header(block),
})
