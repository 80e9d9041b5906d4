import { z } from 'zod'
import { chain } from '../../../shared/async/maybePromise.ts'
import { Hash } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockText, foundText, fullBlockText } from '../../encode/once.ts'
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
  handler: ({ history }, { hash, hydrated }, { budget }) =>
    chain(history.loadBlock({ hash }, hydrated ? 'full' : 'hashes'), (found) =>
      foundText(found, hydrated ? fullBlockText : blockText, budget.bytes),
    ),
})
