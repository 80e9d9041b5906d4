import { z } from 'zod'
import { addTrackedData as addTrackedDataMethod } from '../../rpc/methods/dev/addTrackedData.ts'
import { NetworkError } from '../../shared/errors.ts'
import { addressOf, loadFunction } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Account, Arguments, Contract, FunctionText } from '../inputs.ts'

export const track = defineTool({
  name: 'track',
  methods: [addTrackedDataMethod],
  example: exampleOf(addTrackedDataMethod, ([{ address, name, functionAbi, functionOutputPath }]) => ({
    account: address,
    name,
    function: functionAbi,
    output: functionOutputPath,
  })),
  description:
    'The ether of an account; with holder, what it has of a token; with function, what a function returns; with slot, a storage slot. tracked_values reads them.',
  effect: 'changes',
  input: {
    account: Contract.describe(
      'the account, token or contract: an address, or the name of a contract with a workspace',
    ),
    name: z.string().min(1).max(256).describe('how the dashboard names it'),
    holder: Account.optional().describe('whose balance of the token to record'),
    function: FunctionText.optional(),
    args: Arguments,
    output: z.string().max(256).optional().describe('the part of what the function returns: answer, info.balance, 0.1'),
    slot: z.string().max(80).optional().describe('32 bytes as 0x-hex'),
    everyBlocks: z.int().min(1).optional().describe('record every so many blocks; default: after each transaction'),
  },
  async run(network, { account, name, holder, function: text, args, output, slot, everyBlocks }) {
    if ([holder, text, slot].filter((each) => each !== undefined).length > 1)
      throw new NetworkError('INVALID_PARAMS', { field: 'function', problem: 'pass one of holder, function and slot' })
    const address = await addressOf(network, 'account', account)
    const fn = text === undefined ? undefined : await loadFunction(network, address, { text, args })
    const type = fn ? 'function-result' : slot ? 'storage-variable' : holder ? 'erc20-balance' : 'native-token-balance'
    const given = fn ? args : slot ? [slot] : holder ? [holder] : undefined
    const { id } = await network.call('dev_addTrackedData', {
      address,
      name,
      type,
      ...(fn && { functionAbi: fn.json }),
      ...(given && { functionArgs: JSON.stringify(given) }),
      ...(output !== undefined && { functionOutputPath: output }),
      ...(everyBlocks !== undefined && { recordTrigger: 'every-n-blocks', trackingFrequency: everyBlocks }),
    })
    return { fields: { tracked: id, name, address, type, dashboard: network.link(`/tracked?ids=${id}`) } }
  },
})
