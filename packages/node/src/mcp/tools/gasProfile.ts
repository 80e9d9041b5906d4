import { getGasProfile as getGasProfileMethod } from '../../rpc/methods/dev/getGasProfile.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { locationText } from '../transactions.ts'

export const gasProfile = defineTool({
  name: 'gas_profile',
  methods: [getGasProfileMethod],
  example: exampleOf(getGasProfileMethod, ([hash]) => ({ hash })),
  description:
    'Takes transactions, and lists lines, the most expensive first, with their cold accesses. Lines need contracts that were pushed or verified.',
  effect: 'reads',
  input: { hash: Hash },
  hasPages: true,
  async run(network, { hash }) {
    const { gasUsed, intrinsic, refund, lines, others } = await network.call('dev_getGasProfile', hash)
    return {
      fields: { hash, gasUsed, intrinsic, refund, otherGas: others, dashboard: network.link(`/tx/${hash}`) },
      list: {
        name: 'lines',
        items: lines.map(({ gas, accesses, ...location }) => {
          const { accounts = 0, slots = 0 } = accesses?.cold ?? {}
          const share = `${((100 * gas) / gasUsed).toFixed(1)} %`
          const cold = accounts + slots > 0 ? ` · ${accounts} cold accounts, ${slots} cold slots` : ''
          return `${gas} gas (${share}) ${locationText({ ...location, message: null })}${cold}`
        }),
      },
    }
  },
})
