import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { defineTopic } from '../defineTopic.ts'

export const changes = defineTopic({
  name: 'dev_changes',
  summary: 'The name of each method with the role admin that succeeded: data that it changes should be reloaded.',
  options: optional(z.strictObject({})),
  result: z.strictObject({ method: z.string() }),
  example: { result: { method: 'dev_addFunctionOverride' } },
  start: ({ changes }, _options, notify) => changes.on('changed', notify),
})
