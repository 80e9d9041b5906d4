import { encodeWipeSchedule, WipeScheduleChanges, WipeScheduleResult } from '../../codecs/wipe.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setWipeSchedule = defineMethod({
  name: 'mock_setWipeSchedule',
  summary:
    'Sets the schedule of wipes of local state: an interval in milliseconds (null ends it), and whether to wipe when the process has started, before the first request is served.',
  role: 'admin',
  params: { changes: WipeScheduleChanges },
  result: WipeScheduleResult,
  fields: {
    intervalMs: 'Milliseconds between two wipes, at least 1000. `null` ends the schedule.',
    onStartup: 'Whether local state is wiped when the process starts.',
    routers: 'Spenders whose Permit2 allowances are kept.',
  },
  example: {
    params: [{ intervalMs: 86400000, onStartup: false, routers: ['0x66a9893cc07d91d95644aedd05d03f95e1dba8af'] }],
    result: {
      intervalMs: 86400000,
      routers: ['0x66a9893cc07d91d95644aedd05d03f95e1dba8af'],
      onStartup: false,
      lastWipeAt: null,
    },
  },
  handler: async ({ wipes }, { changes }) => encodeWipeSchedule(await wipes.setSchedule(changes)),
})
