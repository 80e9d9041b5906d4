import { z } from 'zod'
import { chain } from '../../../shared/async/maybePromise.ts'
import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockText, foundText, fullBlockText } from '../../encode/once.ts'
import { exampleBlock } from '../../examples.ts'

export const getBlockByNumber = defineMethod({
  name: 'eth_getBlockByNumber',
  summary: 'Returns a block by number or tag, with full transactions or hashes, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag, hydrated: withDefault(z.boolean(), false) },
  result: BlockObject.nullable(),
  errors: ['BLOCK_PRUNED'],
  example: { params: ['0x1', false], result: exampleBlock },
  handler: ({ history }, { block, hydrated }, { budget }) =>
    chain(history.loadBlock(block, hydrated ? 'full' : 'hashes'), (found) =>
      foundText(found, hydrated ? fullBlockText : blockText, budget.bytes),
    ),
})
