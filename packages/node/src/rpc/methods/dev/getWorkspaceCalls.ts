import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { blockFields, optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceCall,
  pageObjectOf,
  WorkspaceCallObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleId, exampleWorkspaceCall } from '../../workspaceExamples.ts'

const Options = optionsOf({
  ...whereFields,
  direction: optional(z.enum(['to', 'from'])),
  method: optional(z.string()),
  outcome: optional(z.enum(['lived', 'failed', 'undone'])),
  ...pageFields,
  ...blockFields,
})

export const getWorkspaceCalls = defineMethod({
  name: 'dev_getWorkspaceCalls',
  summary: 'Lists calls to a contract or made by a wallet, newest first, with caller, depth and result.',
  role: 'read',
  params: { id: z.string(), options: Options },
  result: pageObjectOf(WorkspaceCallObject),
  example: {
    params: [exampleId, { method: 'transfer', limit: 1 }],
    result: { items: [exampleWorkspaceCall], next: null },
  },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.calls(id, options), encodeWorkspaceCall),
})
