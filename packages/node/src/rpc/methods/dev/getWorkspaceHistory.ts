import { z } from 'zod'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeWorkspaceHistory, WorkspaceHistoryObject } from '../../encode/workspaces/workspaceHistory.ts'
import { exampleHistory } from '../../workspaceExamples.ts'

export const getWorkspaceHistory = defineMethod({
  name: 'dev_getWorkspaceHistory',
  summary: 'Returns the versions of a project contract, with their changes and deployments.',
  role: 'read',
  params: { id: z.string(), options: optionsOf(pageFields) },
  result: WorkspaceHistoryObject,
  example: { params: ['pc_tz4a98xxat96iws9zmbrgj3a'], result: exampleHistory },
  handler: async ({ dashboards }, { id, options }) => encodeWorkspaceHistory(await dashboards.history(id, options)),
})
