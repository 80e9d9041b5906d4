import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { blockFields, optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceEvent,
  pageObjectOf,
  WorkspaceEventObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleId, exampleWorkspaceEvent } from '../../workspaceExamples.ts'

export const getWorkspaceEvents = defineMethod({
  name: 'dev_getWorkspaceEvents',
  summary: 'Lists the events of a contract, newest first: all, or those of one name, signature or topic.',
  role: 'read',
  params: {
    id: z.string(),
    options: optionsOf({ ...whereFields, event: optional(z.string()), ...pageFields, ...blockFields }),
  },
  result: pageObjectOf(WorkspaceEventObject),
  example: {
    params: [exampleId, { event: 'Transfer', limit: 1 }],
    result: { items: [exampleWorkspaceEvent], next: null },
  },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.events(id, options), encodeWorkspaceEvent),
})
