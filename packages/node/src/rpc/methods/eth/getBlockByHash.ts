import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeBlock } from '../../encode/block.ts'
import { encodeFound } from '../../encode/origin.ts'

export const getBlockByHash = defineMethod({
  name: 'eth_getBlockByHash',
  summary: 'Returns a block by its hash, with its transactions whole or as hashes; null when there is none.',
  role: 'read',
  params: { hash: Hash, hydrated: withDefault(z.boolean(), false) },
  result: BlockObject.nullable(),
  example: {
    params: ['0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c', false],
    result: null,
  },
  async handler({ chain }, { hash, hydrated }) {
    const found = await chain.loadBlock({ hash }, hydrated ? 'full' : 'hashes')
    return encodeFound(found, (value) => encodeBlock(value, hydrated))
  },
})
