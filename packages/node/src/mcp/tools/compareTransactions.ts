import type { Result } from '@understudy/client/methods'
import { compareTransactions as compareTransactionsMethod } from '../../rpc/methods/dev/compareTransactions.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Hash } from '../inputs.ts'
import { locationText } from '../transactions.ts'

type Step = NonNullable<NonNullable<Result<'dev_compareTransactions'>['firstDifference']>['before']>

export const compareTransactions = defineTool({
  name: 'compare_transactions',
  methods: [compareTransactionsMethod],
  example: exampleOf(compareTransactionsMethod, ([a, b]) => ({ a, b })),
  description:
    'Takes transactions. Answers why their results differ: the first operation and line at which their runs differ, the first value that both read and that differs, and the storage slots that they left different.',
  effect: 'reads',
  input: { a: Hash, b: Hash.describe('of the other transaction') },
  hasPages: true,
  async run(network, { a, b }) {
    const { a: first, b: second, firstDifference, read, slots } = await network.call('dev_compareTransactions', a, b)
    return {
      fields: {
        a: outcome(first),
        b: outcome(second),
        firstDifference: firstDifference && {
          operation: firstDifference.index,
          before: firstDifference.before && stepText(firstDifference.before),
          a: firstDifference.a ? stepText(firstDifference.a) : 'had ended',
          b: firstDifference.b ? stepText(firstDifference.b) : 'had ended',
        },
        firstDifferentRead: read && {
          line: locationText({ ...read, message: null }),
          operation: read.operation,
          account: read.account,
          key: read.key,
          a: read.a,
          b: read.b,
        },
        same: firstDifference === null && slots.length === 0,
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
  `${step.operation} (depth ${step.depth}, gas left ${step.gas}), ${locationText({ ...step, message: null })}`
