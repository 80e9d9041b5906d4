import { z } from 'zod'
import { getTransactions as getTransactionsMethod } from '../../rpc/methods/dev/getTransactions.ts'
import { amountText, loadCurrency } from '../amounts.ts'
import { addressOf } from '../contracts.ts'
import { defineTool } from '../defineTool.ts'
import { BlockNumber, Contract } from '../inputs.ts'
import { callText } from '../transactions.ts'

export const findTransactions = defineTool({
  name: 'find_transactions',
  methods: [getTransactionsMethod],
  example: { status: 'failed' },
  description: 'Or those in a range of blocks. Those of the live chain are not listed.',
  effect: 'reads',
  input: {
    account: Contract.optional().describe('an address, or the name of a contract with a workspace'),
    status: z.enum(['success', 'failed']).optional().describe('default: both'),
    fromBlock: BlockNumber.optional().describe('the first block'),
    toBlock: BlockNumber.optional().describe('the last block'),
  },
  hasPages: true,
  async run(network, { account, status, fromBlock, toBlock }, { cursor }) {
    const address = account === undefined ? undefined : await addressOf(network, 'account', account)
    const currency = await loadCurrency(network)
    const hex = (block: number | undefined) => (block === undefined ? undefined : (`0x${block.toString(16)}` as const))
    const { items, next } = await network.call('dev_getTransactions', {
      limit: 50,
      ...(cursor !== undefined && { cursor }),
      ...(address && { address }),
      ...(status && { status }),
      ...(fromBlock !== undefined && { fromBlock: hex(fromBlock) }),
      ...(toBlock !== undefined && { toBlock: hex(toBlock) }),
    })
    return {
      fields: { dashboard: network.link(address ? `/address/${address}` : '/transactions') },
      list: {
        name: 'transactions',
        next,
        items: items.map((item) => ({
          hash: item.transactionHash,
          block: item.blockNumber,
          time: item.timestamp,
          status: item.status,
          from: item.from,
          to: item.to ?? item.contractAddress,
          contract: item.contract,
          call: callText(item.function),
          value: item.value === '0' ? undefined : amountText(BigInt(item.value), currency),
          gasUsed: Number(item.gasUsed),
          reason: item.revert?.reason,
        })),
      },
    }
  },
})
