import { decodeTransaction as decodeTransactionMethod } from '../../rpc/methods/dev/decodeTransaction.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { callLine, describeTransaction } from '../transactions.ts'

export const explainTransaction = defineTool({
  name: 'explain_transaction',
  methods: [decodeTransactionMethod],
  example: exampleOf(decodeTransactionMethod, ([hash]) => ({ hash })),
  description: 'Also the gas of each call, console.log, and, if it failed, why and at which line.',
  effect: 'reads',
  input: { hash: Hash },
  hasPages: true,
  async run(network, { hash }) {
    const { fields, transaction, currency } = await describeTransaction(network, hash)
    const logs = transaction.status === 'pending' ? [] : await network.call('dev_getConsoleLogs', hash)
    return {
      fields: { ...fields, console: logs.length > 0 ? logs.slice(0, 20).map(({ text }) => text) : undefined },
      list: { name: 'calls', items: (transaction.calls ?? []).map((call) => callLine(call, currency)) },
    }
  },
})
