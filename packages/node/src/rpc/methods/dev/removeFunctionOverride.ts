import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOverride } from '../../encode/functionOverride.ts'

export const removeFunctionOverride = defineMethod({
  name: 'dev_removeFunctionOverride',
  summary: 'Removes a function override.',
  role: 'admin',
  params: { id: z.string() },
  result: z.object({ id: z.string(), removed: z.literal(true) }),
  fields: {
    id: 'Id of the function override.',
  },
  errors: ['OVERRIDE_NOT_FOUND'],
  example: { params: [exampleOverride.id], result: { id: exampleOverride.id, removed: true } },
  async handler({ overrides }, { id }) {
    await overrides.remove(id)
    return { id, removed: true as const }
  },
})
