import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { executionParams, formatOr, subjectOrBlock } from '../../codecs/calls/alchemyExecution.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleExecution, exampleTransfer } from '../../encode/alchemy/examples.ts'
import { AlchemyExecution, encodeAlchemyExecution } from '../../encode/alchemy/execution.ts'
import { tracedCallErrors } from '../../errorGroups.ts'

const Transactions = z.array(CallRequest)

export const simulateExecutionBundle = defineMethod({
  name: 'alchemy_simulateExecutionBundle',
  summary:
    "Returns the decoded calls and logs of several transactions, in the form of Alchemy's API. Each runs on the result of the previous one, also after one that fails. Nothing is stored.",
  role: 'read',
  params: {
    format: formatOr(Transactions),
    transactions: optional(subjectOrBlock(Transactions)),
    block: optional(BlockTag),
  },
  result: z.array(AlchemyExecution),
  fields: {
    format: '`FLAT` or `NESTED`; it may be left out, so that the transactions come first.',
    transactions: 'The transactions, as of `eth_call`.',
  },
  errors: tracedCallErrors,
  example: { params: [[exampleTransfer]], result: [exampleExecution] },
  async handler({ outcomes }, { format: first, transactions: second, block: third }) {
    const { format, subject, block } = executionParams({ first, second, third }, 'transactions')
    const { results } = await outcomes.simulate({ calls: subject, block })
    return results.map((result) => encodeAlchemyExecution(result, format))
  },
})
