import { Hash } from '../../codecs/hex.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFoundHeader } from '../../encode/block.ts'
import { exampleBlock, exampleHeader } from '../../examples.ts'

export const getHeaderByHash = defineMethod({
  name: 'eth_getHeaderByHash',
  summary: 'Returns the header of a block, or null if there is none.',
  role: 'read',
  params: { hash: Hash },
  result: BlockObject.nullable(),
  example: { params: [exampleBlock.hash], result: exampleHeader },
  handler: async ({ history }, { hash }) => encodeFoundHeader(await history.loadBlock({ hash })),
})
