import { z } from 'zod'
import { addFunctionOverride as addFunctionOverrideMethod } from '../../rpc/methods/dev/addFunctionOverride.ts'
import { removeFunctionOverride as removeFunctionOverrideMethod } from '../../rpc/methods/dev/removeFunctionOverride.ts'
import { NetworkError } from '../../shared/errors.ts'
import { addressOf, loadFunction } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Contract, FunctionText } from '../inputs.ts'

const Values = z.array(z.unknown()).max(100)
const texts = (values: readonly unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))

export const overrideFunction = defineTool({
  name: 'override_function',
  methods: [addFunctionOverrideMethod],
  example: exampleOf(addFunctionOverrideMethod, ([{ contractAddress, functionAbi, returnValues }]) => ({
    contract: contractAddress,
    function: functionAbi,
    returns: returnValues,
  })),
  description: 'For example, set the price of an oracle. remove_override ends it.',
  effect: 'changes',
  input: {
    contract: Contract,
    function: FunctionText,
    args: Values.optional().describe('only for calls with these arguments; default: for all'),
    returns: Values.describe('one value for each output; integers in the smallest unit, as decimal text'),
  },
  async run(network, { contract, function: text, args, returns }) {
    const address = await addressOf(network, 'contract', contract)
    const fn = await loadFunction(network, address, { text, args: args ?? [] })
    if (fn.fragment.outputs.length === 0)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'function',
        problem:
          'it returns nothing. Pass a declaration with its outputs, such as function price() view returns (uint256)',
      })
    const { id, returnValues } = await network.call('dev_addFunctionOverride', {
      contractAddress: address,
      functionAbi: fn.json,
      ...(args && { inputParams: texts(args) }),
      returnValues: texts(returns),
    })
    const dashboard = network.link('/overrides')
    return { fields: { override: id, contract: address, function: fn.signature, returns: returnValues, dashboard } }
  },
})

export const removeOverride = defineTool({
  name: 'remove_override',
  methods: [removeFunctionOverrideMethod],
  example: exampleOf(removeFunctionOverrideMethod, ([override]) => ({ override })),
  description: 'The function returns what it did before.',
  effect: 'changes',
  input: { override: z.string().max(100).describe('its id, from override_function or describe_network') },
  async run(network, { override }) {
    await network.call('dev_removeFunctionOverride', override)
    return { fields: { override, removed: true } }
  },
})
