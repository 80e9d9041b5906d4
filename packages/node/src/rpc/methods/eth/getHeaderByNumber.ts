import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFoundHeader } from '../../encode/block.ts'
import { exampleHeader } from '../../examples.ts'

export const getHeaderByNumber = defineMethod({
  name: 'eth_getHeaderByNumber',
  aliases: ['erigon_getHeaderByNumber'],
  summary: 'Returns the header of a block, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag },
  result: BlockObject.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1'], result: exampleHeader },
  handler: async ({ history }, { block }) => encodeFoundHeader(await history.loadBlock(block)),
})
