import { z } from 'zod'
import { FunctionAbi } from '../../codecs/contracts/localContract.ts'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeFunctionOverride, exampleOverride, FunctionOverrideObject } from '../../encode/functionOverride.ts'

const Input = z.strictObject({
  contractAddress: Address,
  functionAbi: FunctionAbi,
  inputParams: optional(z.array(z.string())),
  returnValues: z.array(z.string()),
})

export const addFunctionOverride = defineMethod({
  name: 'dev_addFunctionOverride',
  summary: 'Makes a contract function return fixed values in calls, in transactions and to other contracts.',
  role: 'admin',
  params: { input: Input },
  result: FunctionOverrideObject,
  fields: {
    contractAddress: 'The contract whose function is overridden.',
    functionAbi: 'The function: its signature, its ABI entry, or an ABI with it alone.',
    inputParams: 'Arguments for which the override holds, as text. Without them, it holds for all arguments.',
    returnValues: 'The values that the function returns, one for each output, as text.',
  },
  errors: ['OVERRIDE_EXISTS', 'LIMIT_EXCEEDED'],
  example: {
    params: [
      {
        contractAddress: exampleOverride.contractAddress,
        functionAbi: 'function latestAnswer() view returns (int256)',
        returnValues: exampleOverride.returnValues,
      },
    ],
    result: exampleOverride,
  },
  async handler({ overrides }, { input: { contractAddress, ...input } }) {
    return encodeFunctionOverride(await overrides.add({ address: contractAddress, ...input }))
  },
})
