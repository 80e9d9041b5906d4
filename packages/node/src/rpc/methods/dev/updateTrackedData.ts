import { z } from 'zod'
import { TrackedItemChanges, trackedItemFields } from '../../codecs/trackedItem.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTrackedItem, exampleTrackedItem, TrackedItemObject } from '../../encode/trackedItem.ts'

export const updateTrackedData = defineMethod({
  name: 'dev_updateTrackedData',
  summary: 'Changes a tracked item. Its history is cleared if the type, address, ABI, arguments or output path change.',
  role: 'admin',
  params: { id: z.string(), updates: TrackedItemChanges },
  result: TrackedItemObject,
  fields: { id: 'Id of the tracked item.', ...trackedItemFields },
  errors: ['TRACKED_ITEM_NOT_FOUND'],
  example: {
    params: [exampleTrackedItem.id, { name: 'Ether in the pool' }],
    result: { ...exampleTrackedItem, name: 'Ether in the pool' },
  },
  async handler({ tracking }, { id, updates }) {
    return encodeTrackedItem(await tracking.update(id, updates))
  },
})
