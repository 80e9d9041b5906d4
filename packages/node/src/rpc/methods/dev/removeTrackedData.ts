import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTrackedItem } from '../../encode/trackedItem.ts'

export const removeTrackedData = defineMethod({
  name: 'dev_removeTrackedData',
  summary: 'Removes a tracked item and its recorded values.',
  role: 'admin',
  params: { id: z.string() },
  result: z.object({ id: z.string(), removed: z.literal(true) }),
  fields: {
    id: 'Id of the tracked item.',
  },
  errors: ['TRACKED_ITEM_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: { params: [exampleTrackedItem.id], result: { id: exampleTrackedItem.id, removed: true } },
  async handler({ tracking }, { id }) {
    await tracking.remove(id)
    return { id, removed: true as const }
  },
})
