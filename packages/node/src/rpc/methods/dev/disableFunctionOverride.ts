import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const disableFunctionOverride = defineMethod({
  name: 'dev_disableFunctionOverride',
  summary: "Disables a function override without removing it: calls return the contract's own result.",
  role: 'admin',
  params: { id: z.string() },
  result: FunctionOverrideObject,
  fields: {
    id: 'Id of the function override.',
  },
  errors: ['OVERRIDE_NOT_FOUND'],
  example: { params: [exampleOverride.id], result: { ...exampleOverride, enabled: false } },
  async handler({ overrides }, { id }) {
    return encodeFunctionOverride(await overrides.disable(id))
  },
})
