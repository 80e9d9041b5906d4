import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

export const getFunctionOverridesByContract = defineMethod({
  name: 'dev_getFunctionOverridesByContract',
  summary: 'Lists the function overrides of one contract, including disabled ones, most recent first.',
  role: 'read',
  params: { contractAddress: Address },
  result: z.array(FunctionOverrideObject),
  fields: {
    contractAddress: 'The contract.',
  },
  example: { params: [exampleOverride.contractAddress], result: [exampleOverride] },
  handler: ({ overrides }, { contractAddress }) => overrides.list(contractAddress).map(encodeFunctionOverride),
})
