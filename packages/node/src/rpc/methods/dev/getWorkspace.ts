import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeWorkspace, exampleWorkspace, WorkspaceObject } from '../../encode/workspaces/workspace.ts'

export const getWorkspace = defineMethod({
  name: 'dev_getWorkspace',
  summary: 'Returns one workspace by its wlt_, mpc_ or pc_ id.',
  role: 'read',
  params: { id: z.string() },
  result: WorkspaceObject,
  fields: {
    id: 'Id of the workspace.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleWorkspace.id], result: exampleWorkspace },
  handler: async ({ workspaces }, { id }) => encodeWorkspace(await workspaces.require(id)),
})
