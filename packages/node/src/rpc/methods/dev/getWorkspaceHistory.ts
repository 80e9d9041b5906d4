import { z } from 'zod'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleHistory } from '../../encode/workspaces/workspaceExamples.ts'
import { encodeWorkspaceHistory, WorkspaceHistoryObject } from '../../encode/workspaces/workspaceHistory.ts'

export const getWorkspaceHistory = defineMethod({
  name: 'dev_getWorkspaceHistory',
  summary: 'Returns the versions of a project contract, with their changes and deployments.',
  role: 'read',
  params: { id: z.string(), options: optionsOf(pageFields) },
  result: WorkspaceHistoryObject,
  fields: {
    id: 'Id of the workspace.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: ['pc_tz4a98xxat96iws9zmbrgj3a'], result: exampleHistory },
  handler: async ({ dashboards }, { id, options }) => encodeWorkspaceHistory(await dashboards.history(id, options)),
})
