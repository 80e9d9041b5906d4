import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeWorkspace, exampleWorkspace, WorkspaceObject } from '../../encode/workspaces/workspace.ts'

export const getWorkspaces = defineMethod({
  name: 'dev_getWorkspaces',
  summary: 'Lists the workspaces, oldest first, including deployed imported contracts.',
  role: 'read',
  params: {},
  result: z.array(WorkspaceObject),
  example: { params: [], result: [exampleWorkspace] },
  handler: async ({ workspaces }) => (await workspaces.list()).map(encodeWorkspace),
})
