import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { defineTopic } from '../defineTopic.ts'

/** The network never lags behind itself: it serves its state from the first request on. */
export const syncing = defineTopic({
  name: 'syncing',
  summary: 'Sends nothing, because the network never syncs. For compatibility.',
  options: optional(z.strictObject({})),
  result: z.boolean(),
  example: { result: false },
  start: () => () => {},
})
