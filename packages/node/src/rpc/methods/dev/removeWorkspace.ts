import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { exampleWorkspace } from '../../encode/workspaces/workspace.ts'

export const removeWorkspace = defineMethod({
  name: 'dev_removeWorkspace',
  summary: 'Removes a workspace and its ABI; for an imported contract, removes the import.',
  role: 'admin',
  params: { id: z.string() },
  result: z.object({ id: z.string(), removed: z.literal(true) }),
  fields: {
    id: 'Id of the workspace.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: { params: [exampleWorkspace.id], result: { id: exampleWorkspace.id, removed: true } },
  async handler({ workspaces }, { id }) {
    await workspaces.remove(id)
    return { id, removed: true as const }
  },
})
