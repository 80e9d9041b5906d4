import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { defineTopic } from '../defineTopic.ts'

/** The network is never behind itself: its state is served from its first request on. */
export const syncing = defineTopic({
  name: 'syncing',
  summary: 'Says nothing: the network never syncs. For clients that ask.',
  options: optional(z.object({})),
  result: z.boolean(),
  example: { result: false },
  start: () => () => {},
})
