import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { exampleInvariant } from '../../encode/runs/invariant.ts'

export const removeInvariant = defineMethod({
  name: 'dev_removeInvariant',
  summary: 'Removes an invariant and its failures.',
  role: 'admin',
  params: { id: z.string() },
  result: z.object({ id: z.string(), removed: z.literal(true) }),
  fields: {
    id: 'Id of the invariant.',
  },
  errors: ['NOT_FOUND'],
  example: { params: [exampleInvariant.id], result: { id: exampleInvariant.id, removed: true } },
  async handler({ invariants }, { id }) {
    await invariants.remove(id)
    return { id, removed: true as const }
  },
})
