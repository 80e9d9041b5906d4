import { z } from 'zod'
import { optionsOf, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeWorkspaceOverview, WorkspaceOverviewObject } from '../../encode/workspaces/workspaceOverview.ts'
import { exampleOverview } from '../../workspaceExamples.ts'

export const getWorkspaceOverview = defineMethod({
  name: 'dev_getWorkspaceOverview',
  summary: 'Returns the account of a workspace here and on the live chain, its contract, and activity counts.',
  role: 'read',
  isSlow: true,
  params: { id: z.string(), options: optionsOf(whereFields) },
  result: WorkspaceOverviewObject,
  example: { params: [exampleOverview.workspace.id], result: exampleOverview },
  handler: async ({ dashboards }, { id, options }) => encodeWorkspaceOverview(await dashboards.overview(id, options)),
})
