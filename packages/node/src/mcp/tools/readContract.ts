import { call as callMethod } from '../../rpc/methods/eth/call.ts'
import { amountText, loadToken } from '../amounts.ts'
import { addressOf, decodeReturned, encodeCall } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Account, Arguments, BlockNumber, Contract, FunctionText } from '../inputs.ts'

/** Functions of ERC-20 that return an amount of the token. */
const amounts: ReadonlySet<string> = new Set(['balanceOf(address)', 'totalSupply()', 'allowance(address,address)'])

export const readContract = defineTool({
  name: 'read_contract',
  methods: [callMethod],
  example: exampleOf(callMethod, ([{ to }]) => ({ contract: to, function: 'decimals' })),
  description: 'Takes a function by name, and decodes what it returns.',
  effect: 'reads',
  input: {
    contract: Contract,
    function: FunctionText,
    args: Arguments,
    from: Account.optional().describe('the account that calls'),
    block: BlockNumber.optional().describe('the state to read; default: the newest block'),
  },
  async run(network, { contract, function: name, args, from, block }) {
    const to = await addressOf(network, 'contract', contract)
    const { call, fn } = await encodeCall(network, { from, to, function: name, args })
    const at = block === undefined ? 'latest' : `0x${block.toString(16)}`
    const data = await network.call<`0x${string}`>('eth_call', call, at)
    const returned = fn && decodeReturned(fn, data)
    const isAmount = fn !== undefined && amounts.has(fn.signature) && typeof returned === 'string'
    const token = isAmount ? await loadToken(network, to) : undefined
    return {
      fields: {
        contract: to,
        function: fn?.signature,
        returned,
        readable: token && typeof returned === 'string' ? amountText(BigInt(returned), token) : undefined,
      },
    }
  },
})
