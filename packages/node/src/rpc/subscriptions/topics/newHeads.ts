import { z } from 'zod'
import { memoize } from '../../../shared/caches/memoize.ts'
import { optional } from '../../codecs/optional.ts'
import { HeaderObject } from '../../codecs/wire.ts'
import { encodeHeader } from '../../encode/block.ts'
import { exampleHeader } from '../../examples.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize(encodeHeader)

export const newHeads = defineTopic({
  name: 'newHeads',
  summary: 'The header of each block, when it is sealed.',
  options: optional(z.strictObject({})),
  result: HeaderObject,
  example: { result: exampleHeader },
  start: ({ chainEvents }, _options, notify) => chainEvents.on('block', ({ block }) => notify(encode(block))),
})
