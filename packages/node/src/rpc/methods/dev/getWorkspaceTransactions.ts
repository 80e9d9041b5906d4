import { z } from 'zod'
import { blockFields, optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodePage,
  encodeWorkspaceTransaction,
  pageObjectOf,
  WorkspaceTransactionObject,
} from '../../encode/workspaces/workspaceActivity.ts'
import { exampleId, exampleWorkspaceTransaction } from '../../encode/workspaces/workspaceExamples.ts'

export const getWorkspaceTransactions = defineMethod({
  name: 'dev_getWorkspaceTransactions',
  summary:
    'Lists the transactions that involve a workspace, including through inner calls, newest first, with decoded functions.',
  role: 'read',
  params: { id: z.string(), options: optionsOf({ ...whereFields, ...pageFields, ...blockFields }) },
  result: pageObjectOf(WorkspaceTransactionObject),
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleId, { limit: 1 }], result: { items: [exampleWorkspaceTransaction], next: null } },
  handler: async ({ dashboards }, { id, options }) =>
    encodePage(await dashboards.transactions(id, options), encodeWorkspaceTransaction),
})
