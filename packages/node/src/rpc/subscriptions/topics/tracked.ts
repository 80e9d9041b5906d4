import { z } from 'zod'
import { memoize } from '../../../shared/caches/memoize.ts'
import { optional } from '../../codecs/optional.ts'
import { encodeTrackedEntry, exampleTrackedEntry, TrackedEntryObject } from '../../encode/trackedItem.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize(encodeTrackedEntry)

export const tracked = defineTopic({
  name: 'dev_tracked',
  summary: 'Each stored entry of a tracked item, or of all items without an id.',
  options: optional(z.strictObject({ id: optional(z.string()) })),
  result: TrackedEntryObject,
  example: { options: { id: exampleTrackedEntry.id }, result: exampleTrackedEntry },
  start: ({ tracking }, options, notify) => tracking.subscribe(options?.id, (entry) => notify(encode(entry))),
})
