import type { Result } from '@understudy/client'
import { compareTransactions as compareTransactionsMethod } from '../../rpc/methods/dev/compareTransactions.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { placeText } from '../transactions.ts'

type Step = NonNullable<NonNullable<Result<'dev_compareTransactions'>['parting']>['before']>

export const compareTransactions = defineTool({
  name: 'compare_transactions',
  methods: [compareTransactionsMethod],
  example: exampleOf(compareTransactionsMethod, ([a, b]) => ({ a, b })),
  description:
    'Takes transactions. Answers why they came out differently: the first operation and line at which their runs part, the first value that both read and that differs, and the storage slots that they left different.',
  effect: 'reads',
  input: { a: Hash, b: Hash.describe('of the other transaction') },
  hasPages: true,
  async run(network, { a, b }) {
    const { a: first, b: second, parting, read, slots } = await network.call('dev_compareTransactions', a, b)
    return {
      fields: {
        a: outcome(first),
        b: outcome(second),
        partAt: parting && {
          operation: parting.index,
          before: parting.before && stepText(parting.before),
          a: parting.a ? stepText(parting.a) : 'had ended',
          b: parting.b ? stepText(parting.b) : 'had ended',
        },
        firstDifferentRead: read && {
          place: placeText({ ...read, message: null }),
          operation: read.operation,
          account: read.account,
          key: read.key,
          a: read.a,
          b: read.b,
        },
        same: parting === null && slots.length === 0,
        dashboard: network.link(`/tx/${a}`),
      },
      list: { name: 'slots', items: slots },
    }
  },
})

const outcome = ({ status, gasUsed, logs, calls }: Result<'dev_compareTransactions'>['a']) => ({
  status,
  gasUsed,
  logs,
  calls,
})

const stepText = (step: Step) =>
  `${step.operation} (depth ${step.depth}, gas left ${step.gas}), ${placeText({ ...step, message: null })}`
