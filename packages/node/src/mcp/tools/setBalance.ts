import { formatEther } from 'viem'
import { z } from 'zod'
import { setBalance as setBalanceMethod } from '../../rpc/methods/dev/setBalance.ts'
import { NetworkError } from '../../shared/errors.ts'
import { amountFrom, amountText, loadCurrency, loadToken } from '../amounts.ts'
import { addressOf } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Account, Contract } from '../inputs.ts'

export const setBalance = defineTool({
  name: 'set_balance',
  example: exampleOf(setBalanceMethod, ([account, wei]) => ({ account, amount: `${formatEther(BigInt(wei))} ETH` })),
  description: 'Sets what an account has: of ether, or of an ERC-20 token.',
  effect: 'changes',
  input: {
    account: Account.describe('who gets it'),
    amount: z.string().max(200).describe('in whole ether or tokens: 1.5, 1.5 ETH, 250 USDC'),
    token: Contract.optional().describe('the token: an address, or the name of a contract with a workspace'),
  },
  async run(network, { account, amount, token: name }) {
    const dashboard = network.link(`/address/${account}`)
    if (name === undefined) {
      const currency = await loadCurrency(network)
      const { balance } = await network.call(
        'dev_setBalance',
        account,
        amountFrom('amount', amount, currency).toString(),
      )
      return { fields: { account, balance: amountText(BigInt(balance), currency), dashboard } }
    }
    const address = await addressOf(network, 'token', name)
    const token = await loadToken(network, address)
    if (!token)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'token',
        problem: `${address} has no decimals(), so it is no ERC-20 token`,
      })
    const units = amountFrom('amount', amount, token).toString()
    const { balance } = await network.call('dev_setERC20Balance', account, address, units)
    return { fields: { account, token: address, balance: amountText(BigInt(balance), token), dashboard } }
  },
})
