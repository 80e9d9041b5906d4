import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeBlock } from '../../encode/block.ts'
import { blockText, fullBlockText } from '../../encode/once.ts'
import { encodeFound } from '../../encode/origin.ts'
import { exampleBlock } from '../../examples.ts'

export const getBlockByHash = defineMethod({
  name: 'eth_getBlockByHash',
  summary: 'Returns a block by its hash, with full transactions or hashes, or null if there is none.',
  role: 'read',
  params: { hash: Hash, hydrated: withDefault(z.boolean(), false) },
  result: BlockObject.nullable(),
  example: {
    params: [exampleBlock.hash, false],
    result: exampleBlock,
  },
  async handler({ history }, { hash, hydrated }) {
    const found = await history.loadBlock({ hash }, hydrated ? 'full' : 'hashes')
    return encodeFound(found, (value) => encodeBlock(value, hydrated))
  },
  answerNow({ history }, { hash, hydrated }) {
    const found = history.resident.block({ hash })
    return found && (hydrated ? fullBlockText : blockText)(found)
  },
})
