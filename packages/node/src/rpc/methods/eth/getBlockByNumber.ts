import { z } from 'zod'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeBlock } from '../../encode/block.ts'
import { blockText, fullBlockText } from '../../encode/once.ts'
import { encodeFound } from '../../encode/origin.ts'
import { exampleBlock } from '../../examples.ts'

export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary: 'Returns a block by number or tag, with full transactions or hashes, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag, hydrated: withDefault(z.boolean(), false) },
  result: BlockObject.nullable(),
  example: { params: ['0x1', false], result: exampleBlock },
  async handler({ history }, { block, hydrated }) {
    const found = await history.loadBlock(block, hydrated ? 'full' : 'hashes')
    return encodeFound(found, (value) => encodeBlock(value, hydrated))
  },
  answerNow({ history }, { block, hydrated }) {
    const found = history.resident.block(block)
    return found && (hydrated ? fullBlockText : blockText)(found)
  },
})
