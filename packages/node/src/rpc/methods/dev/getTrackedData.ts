import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { TrackedFilter } from '../../codecs/trackedItem.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodeRecordedValue,
  encodeTrackedItem,
  exampleRecordedValue,
  exampleTrackedItem,
  TrackedItemObject,
} from '../../encode/trackedItem.ts'

export const getTrackedData = defineMethod({
  name: 'dev_getTrackedData',
  summary:
    'Lists tracked items, oldest first: all, or those of an address or with a tag; optionally with their latest values.',
  role: 'read',
  params: { filter: withDefault(TrackedFilter, { address: undefined, tag: undefined, withValues: false }) },
  result: z.array(TrackedItemObject),
  fields: {
    address: 'Only items of this account.',
    tag: 'Only items with this tag.',
    withValues: 'Whether the latest value of each item is returned too.',
  },
  example: {
    params: [{ tag: 'pools', withValues: true }],
    result: [{ ...exampleTrackedItem, latestValue: exampleRecordedValue }],
  },
  async handler({ tracking }, { filter: { withValues, ...filter } }) {
    const items = tracking.list(filter).map(encodeTrackedItem)
    if (!withValues) return items
    const latest = await tracking.loadLatest(items.map(({ id }) => id))
    return items.map((item, index) => {
      const entry = latest[index]
      return { ...item, latestValue: entry ? encodeRecordedValue(entry) : null }
    })
  },
})
