import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const getFunctionOverrides = defineMethod({
  name: 'dev_getFunctionOverrides',
  summary: 'Lists all function overrides, including disabled ones, most recent first.',
  role: 'read',
  params: {},
  result: z.array(FunctionOverrideObject),
  example: { params: [], result: [exampleOverride] },
  handler: ({ overrides }) => overrides.list().map(encodeFunctionOverride),
})
