import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeInvariant, exampleInvariant, InvariantObject } from '../../encode/runs/invariant.ts'

export const getInvariants = defineMethod({
  name: 'dev_getInvariants',
  summary: 'Returns the invariants, and when they did not hold.',
  role: 'read',
  params: {},
  result: z.array(InvariantObject),
  example: { params: [], result: [exampleInvariant] },
  handler: async ({ invariants }) => (await invariants.list()).map(encodeInvariant),
})
