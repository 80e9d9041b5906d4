import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const updateFunctionOverride = defineMethod({
  name: 'dev_updateFunctionOverride',
  summary: 'Replaces the return values of a function override.',
  role: 'admin',
  params: { id: z.string(), returnValues: z.array(z.string()) },
  result: FunctionOverrideObject,
  fields: {
    id: 'Id of the function override.',
    returnValues: 'The values that the function returns, one for each output, as text.',
  },
  errors: ['OVERRIDE_NOT_FOUND', 'LIMIT_EXCEEDED'],
  example: {
    params: [exampleOverride.id, ['160000000000']],
    result: { ...exampleOverride, returnValues: ['160000000000'] },
  },
  async handler({ overrides }, { id, returnValues }) {
    return encodeFunctionOverride(await overrides.update(id, returnValues))
  },
})
