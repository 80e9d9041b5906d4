import { z } from 'zod'
import { optional, withDefault } from '../../codecs/optional.ts'
import { optionsOf, whereFields } from '../../codecs/page.ts'
import { Period } from '../../codecs/trackedItem.ts'
import { Timestamp } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleId, exampleTimeline } from '../../encode/workspaces/workspaceExamples.ts'

const partsProblem = { error: 'expected a whole number from 1 to 120' }
const Parts = withDefault(z.int(partsProblem).min(1, partsProblem).max(120, partsProblem), 48)

const TimelineObject = z
  .object({
    /** The length of each interval, in seconds. */
    seconds: z.number(),
    parts: z.array(
      z.object({
        from: Timestamp,
        /** null if no block was sealed in it. */
        blocks: z.object({ first: z.number(), last: z.number() }).nullable(),
        transactions: z.number(),
        callsTo: z.number(),
        failedCallsTo: z.number(),
        callsBy: z.number(),
        events: z.number(),
      }),
    ),
    /** Whether there were more than the newest 20000 of each kind, which are counted. */
    truncated: z.boolean(),
  })
  .meta({ title: 'WorkspaceActivity' })

export const getWorkspaceActivity = defineMethod({
  name: 'dev_getWorkspaceActivity',
  summary:
    'Counts transactions, calls and events of a workspace over time, in equal intervals of a period or since its first activity.',
  role: 'read',
  params: { id: z.string(), options: optionsOf({ ...whereFields, period: optional(Period), parts: Parts }) },
  result: TimelineObject,
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
    period: 'Only the newest activity: of ten minutes, an hour, a day, a week, or 30 days (`1m`).',
    parts: 'Number of equal intervals.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleId, { period: '1h', parts: 2 }], result: exampleTimeline },
  async handler({ dashboards }, { id, options }) {
    const { parts, ...rest } = await dashboards.timeline(id, options)
    return {
      ...rest,
      parts: parts.map(({ from, blocks, ...counts }) => ({
        from: new Date(Number(from) * 1000).toISOString(),
        blocks: blocks ? { first: Number(blocks.first), last: Number(blocks.last) } : null,
        ...counts,
      })),
    }
  },
})
