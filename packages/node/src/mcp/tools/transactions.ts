import { decodeTransaction as decodeTransactionMethod } from '../../rpc/methods/dev/decodeTransaction.ts'
import { getStackTrace as getStackTraceMethod } from '../../rpc/methods/dev/getStackTrace.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { callLine, describeTransaction, locationText } from '../transactions.ts'

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

export const stackTrace = defineTool({
  name: 'stack_trace',
  methods: [getStackTraceMethod],
  example: exampleOf(getStackTraceMethod, ([hash]) => ({ hash })),
  description:
    'Empty if it succeeded. Lines need contracts that were pushed or verified. For a transaction that was not sent, use simulate.',
  effect: 'reads',
  input: { hash: Hash },
  hasPages: true,
  async run(network, { hash }) {
    const entries = await network.call('dev_getStackTrace', hash)
    return {
      fields: { hash, dashboard: network.link(`/tx/${hash}`) },
      list: { name: 'stack', items: entries.map(locationText) },
    }
  },
})
