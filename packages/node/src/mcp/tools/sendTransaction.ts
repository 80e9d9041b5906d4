import { z } from 'zod'
import { MethodError } from '../../rpc/dispatch/methodCalls.ts'
import { sendTransaction as sendTransactionMethod } from '../../rpc/methods/eth/sendTransaction.ts'
import { encodeCall } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { callFields } from '../inputs.ts'
import { describeTransaction, loadFailure } from '../transactions.ts'

export const sendTransaction = defineTool({
  name: 'send_transaction',
  methods: [sendTransactionMethod],
  example: exampleOf(sendTransactionMethod, ([{ from, to, value }]) => ({ from, to, value: `${BigInt(value)} wei` })),
  description:
    'Takes a function by name, and any account: one that is not funded here is impersonated from then on. Answers with what it did: events, transfers, gas, or the line where it failed. If it would fail, it is not sent unless gas is given. Try simulate first if you only want to know.',
  effect: 'changes',
  input: {
    ...callFields,
    gas: z.int().min(21_000).optional().describe('a gas limit; the transaction is then sent even if it fails'),
  },
  async run(network, { gas, ...input }) {
    const { call } = await encodeCall(network, input)
    const isKnown = (accounts: readonly string[]) =>
      accounts.some((one) => one.toLowerCase() === input.from.toLowerCase())
    const { accounts } = await network.call('dev_getNetworkInfo')
    if (!isKnown(accounts)) await network.call('dev_impersonateAccount', input.from)
    try {
      const request = { ...call, ...(gas !== undefined && { gas: `0x${gas.toString(16)}` }) }
      const hash = await network.call<`0x${string}`>('eth_sendTransaction', request)
      const { fields } = await describeTransaction(network, hash)
      const next = fields.status === 'pending' ? 'It waits for a block: call mine, then explain_transaction' : undefined
      return { fields: { ...fields, next } }
    } catch (error) {
      if (!(error instanceof MethodError && error.kind === 'EXECUTION_REVERTED')) throw error
      return {
        fields: {
          status: 'not sent, because it would fail',
          reason: error.message,
          failedAt: await loadFailure(network, call),
          next: 'Pass gas to send it nevertheless, or change its arguments or the state',
        },
      }
    }
  },
})
