import { z } from 'zod'
import { VariablePath } from '../../codecs/contracts/storageVariable.ts'
import { optional } from '../../codecs/optional.ts'
import { optionsOf, pageFields, whereFields } from '../../codecs/page.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleStorageEntry } from '../../encode/workspaces/workspaceExamples.ts'
import { encodeWorkspaceStorage, WorkspaceStorageObject } from '../../encode/workspaces/workspaceStorage.ts'

export const getWorkspaceStorage = defineMethod({
  name: 'dev_getWorkspaceStorage',
  summary:
    'Reads the storage of a contract with its storageLayout: all variables, or one path such as users[3].name. Without a layout, returns the slots that were written here.',
  role: 'read',
  params: { id: z.string(), options: optionsOf({ ...whereFields, path: optional(VariablePath), ...pageFields }) },
  result: WorkspaceStorageObject,
  fields: {
    id: 'Id of the workspace.',
    address: 'The deployment of the contract. By default, the deployment that was linked last.',
    path: 'One variable, or a part of it, such as `users[3].name`.',
  },
  errors: ['WORKSPACE_NOT_FOUND'],
  example: {
    params: ['pc_tz4a98xxat96iws9zmbrgj3a', { path: 'balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]' }],
    result: {
      layout: { contract: 'Token', versionId: 'pcv_pfh0haxfpzowht3oi213cqos' },
      entry: exampleStorageEntry,
      entries: [],
      next: null,
    },
  },
  handler: async ({ dashboards }, { id, options }) => encodeWorkspaceStorage(await dashboards.storage(id, options)),
})
