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
import { exampleId, exampleWorkspaceCall } from '../../encode/workspaces/workspaceExamples.ts'

const Options = optionsOf({
  ...whereFields,
  direction: optional(z.enum(['to', 'from'])),
  method: optional(z.string()),
  outcome: optional(z.enum(['succeeded', 'failed', 'reverted'])),
  ...pageFields,
  ...blockFields,
})

export const getWorkspaceCalls = defineMethod({
  name: 'dev_getWorkspaceCalls',
  summary: 'Lists calls to a contract or made by a wallet, newest first, with caller, depth and result.',
  role: 'read',
  params: { id: z.string(), options: Options },
  result: pageObjectOf(WorkspaceCallObject),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
    direction: 'Only calls to the account, or only calls from it.',
    method: 'Only calls of the function with this name, signature or selector.',
    outcome: 'Only calls with this outcome.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: [exampleId, { method: 'transfer', limit: 1 }],
    result: { items: [exampleWorkspaceCall], next: null },
  },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.calls(id, options), encodeWorkspaceCall),
})
