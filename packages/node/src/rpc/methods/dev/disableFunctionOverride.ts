import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const disableFunctionOverride = defineMethod({
  name: 'dev_disableFunctionOverride',
  summary: 'Keeps a function override without applying it: calls go through to the real contract.',
  role: 'admin',
  params: { id: z.string() },
  result: FunctionOverrideObject,
  example: { params: [exampleOverride.id], result: { ...exampleOverride, enabled: false } },
  async handler({ overrides }, { id }) {
    return encodeFunctionOverride(await overrides.disable(id))
  },
})
