import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const removeImportedContract = defineMethod({
  name: 'dev_removeImportedContract',
  summary: 'Removes an imported contract with its versions and deployment links.',
  role: 'admin',
  params: { id: z.string() },
  result: z.object({ id: z.string(), removed: z.literal(true) }),
  fields: {
    id: 'Id of the imported contract: its `projectContractId`.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: ['pc_tz4a98xxat96iws9zmbrgj3a'],
    result: { id: 'pc_tz4a98xxat96iws9zmbrgj3a', removed: true },
  },
  async handler({ contracts }, { id }) {
    await contracts.remove(id)
    return { id, removed: true as const }
  },
})
