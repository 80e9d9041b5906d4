import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { HistoryOptions } from '../../codecs/trackedItem.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodeHistory,
  exampleHistoryEntry,
  exampleRecordedValue,
  exampleTrackedItem,
  HistoryObject,
} from '../../encode/trackedItem.ts'

export const getTrackedDataValues = defineMethod({
  name: 'dev_getTrackedDataValues',
  summary: 'Returns the recorded values of a tracked item, oldest first: all, a trailing window, or up to a block.',
  role: 'read',
  params: { id: z.string(), options: optional(HistoryOptions) },
  result: HistoryObject,
  fields: {
    id: 'Id of the tracked item.',
    period: 'Only the newest values: of ten minutes, an hour, a day, a week, or 30 days (`1m`).',
    maxBlockNumber: 'Only values of this block and earlier ones.',
    limit: 'At most so many of the newest values.',
  },
  errors: ['TRACKED_ITEM_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleTrackedItem.id, { period: '1h', limit: 1 }],
    result: {
      values: [exampleHistoryEntry],
      anchor: { ...exampleRecordedValue, blockNumber: 24_139_702, timestamp: '2026-01-01T10:59:11.000Z' },
      periodStart: '2026-01-01T11:00:14.000Z',
      periodEnd: '2026-01-01T12:00:14.000Z',
    },
  },
  async handler({ tracking }, { id, options }) {
    return encodeHistory(await tracking.loadHistory(id, options))
  },
})
