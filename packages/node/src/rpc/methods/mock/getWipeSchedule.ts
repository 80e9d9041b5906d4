import { encodeWipeSchedule, WipeScheduleResult } from '../../codecs/wipe.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getWipeSchedule = defineMethod({
  name: 'mock_getWipeSchedule',
  summary: 'Returns the schedule of wipes of local state, and the time of the last wipe.',
  role: 'read',
  params: {},
  result: WipeScheduleResult,
  example: {
    params: [],
    result: { intervalMs: null, routers: [], onStartup: false, lastWipeAt: '2024-10-20T12:00:11.000Z' },
  },
  handler: ({ wipes }) => encodeWipeSchedule(wipes.schedule()),
})
