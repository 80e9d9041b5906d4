import { getContractAbi as getContractAbiMethod } from '../../rpc/methods/dev/getContractAbi.ts'
import { amountText, loadCurrency, loadToken, unnamed } from '../amounts.ts'
import { addressOf, tokenFunctions } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Contract } from '../inputs.ts'
import { callText } from '../transactions.ts'

export const lookUpContract = defineTool({
  name: 'look_up_contract',
  methods: [getContractAbiMethod],
  example: exampleOf(getContractAbiMethod, ([contract]) => ({ contract })),
  description:
    'Also whether it is a contract, its name, token and balance, and the last transactions here that involved it.',
  effect: 'reads',
  input: { contract: Contract },
  hasPages: true,
  async run(network, input) {
    const address = await addressOf(network, 'contract', input.contract)
    const { name, source, code, abi, selectors, proxy, explorer } = await network.call('dev_getContractAbi', address)
    const balance = BigInt(await network.call<string>('eth_getBalance', address, 'latest'))
    const last = await network.call('dev_getTransactions', { address, limit: 3 })
    const token = code === 'none' ? undefined : await loadToken(network, address)
    const known = tokenFunctions(selectors)
    const inCode = selectors.map((selector) => {
      const item = known.get(selector)
      return item ? declaration(item as Item) : selector
    })
    return {
      fields: {
        address,
        name,
        code: code === 'none' ? 'none: it is an account without code' : code,
        abiFrom: source,
        explorer: explorer?.problem ?? explorer?.status,
        proxy,
        // Others have decimals, too, such as price feeds.
        token: token?.symbol === unnamed ? undefined : token,
        balance: amountText(balance, await loadCurrency(network)),
        lastTransactions: last.items.map(({ transactionHash, blockNumber, status, from, function: fn }) => ({
          hash: transactionHash,
          block: blockNumber,
          status,
          from,
          call: callText(fn),
        })),
        dashboard: network.link(`/address/${address}`),
      },
      list: { name: 'abi', items: abi.length > 0 ? abi.map((item) => declaration(item)) : inCode },
    }
  },
})

type Parameter = { type?: string; name?: string; indexed?: boolean; components?: Parameter[] }
type Item = { type?: string; name?: string; stateMutability?: string; inputs?: Parameter[]; outputs?: Parameter[] }

/** An item of an ABI as Solidity declares it. */
function declaration({ type, name, stateMutability, inputs = [], outputs = [] }: Item): string {
  const mutability = stateMutability === undefined || stateMutability === 'nonpayable' ? '' : ` ${stateMutability}`
  const returns = outputs.length > 0 ? ` returns (${outputs.map(parameter).join(', ')})` : ''
  return `${type}${name ? ` ${name}` : ''}(${inputs.map(parameter).join(', ')})${mutability}${returns}`
}

function parameter({ type = '', name, indexed, components }: Parameter): string {
  const shown = components ? `(${components.map(parameter).join(', ')})${type.slice('tuple'.length)}` : type
  return `${shown}${indexed ? ' indexed' : ''}${name ? ` ${name}` : ''}`
}
