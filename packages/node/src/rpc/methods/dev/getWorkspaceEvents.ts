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
import { exampleId, exampleWorkspaceEvent } from '../../encode/workspaces/workspaceExamples.ts'

export const getWorkspaceEvents = defineMethod({
  name: 'dev_getWorkspaceEvents',
  summary: 'Lists the events of a contract, newest first: all, or those of one name, signature or topic.',
  role: 'read',
  params: {
    id: z.string(),
    options: optionsOf({ ...whereFields, event: optional(z.string()), ...pageFields, ...blockFields }),
  },
  result: pageObjectOf(WorkspaceEventObject),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
    event: 'Only events with this name, signature or first topic.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: [exampleId, { event: 'Transfer', limit: 1 }],
    result: { items: [exampleWorkspaceEvent], next: null },
  },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.events(id, options), encodeWorkspaceEvent),
})
