import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const enableFunctionOverride = defineMethod({
  name: 'dev_enableFunctionOverride',
  summary: 'Enables a disabled function override.',
  role: 'admin',
  params: { id: z.string() },
  result: FunctionOverrideObject,
  fields: {
    id: 'Id of the function override.',
  },
  errors: ['OVERRIDE_NOT_FOUND'],
  example: { params: [exampleOverride.id], result: exampleOverride },
  async handler({ overrides }, { id }) {
    return encodeFunctionOverride(await overrides.enable(id))
  },
})
