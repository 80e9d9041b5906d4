import { z } from 'zod'
import { optionsOf, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOverview } from '../../encode/workspaces/workspaceExamples.ts'
import { encodeWorkspaceOverview, WorkspaceOverviewObject } from '../../encode/workspaces/workspaceOverview.ts'

export const getWorkspaceOverview = defineMethod({
  name: 'dev_getWorkspaceOverview',
  summary: 'Returns the account of a workspace here and on the live chain, its contract, and activity counts.',
  role: 'read',
  isSlow: true,
  params: { id: z.string(), options: optionsOf(whereFields) },
  result: WorkspaceOverviewObject,
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleOverview.workspace.id], result: exampleOverview },
  handler: async ({ dashboards }, { id, options }) => encodeWorkspaceOverview(await dashboards.overview(id, options)),
})
