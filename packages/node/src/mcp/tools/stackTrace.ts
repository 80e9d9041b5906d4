import { getStackTrace as getStackTraceMethod } from '../../rpc/methods/dev/getStackTrace.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { placeText } from '../transactions.ts'

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
      list: { name: 'stack', items: entries.map(placeText) },
    }
  },
})
