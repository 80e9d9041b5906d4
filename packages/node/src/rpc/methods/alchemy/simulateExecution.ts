import { BlockTag } from '../../codecs/blockTag.ts'
import { executionParams, formatOr, subjectOrBlock } from '../../codecs/calls/alchemyExecution.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleExecution, exampleTransfer } from '../../encode/alchemy/examples.ts'
import { AlchemyExecution, encodeAlchemyExecution } from '../../encode/alchemy/execution.ts'
import { tracedCallErrors } from '../../errorGroups.ts'

export const simulateExecution = defineMethod({
  name: 'alchemy_simulateExecution',
  summary:
    "Returns the decoded calls and logs of a transaction, in the form of Alchemy's API: in a list (FLAT, the default) or each with those that it makes (NESTED). The format may be left out. A transaction that fails is a result with an error. Nothing is stored.",
  role: 'read',
  params: {
    format: formatOr(CallRequest),
    transaction: optional(subjectOrBlock(CallRequest)),
    block: optional(BlockTag),
  },
  result: AlchemyExecution,
  fields: {
    format: '`FLAT` or `NESTED`; it may be left out, so that the transaction comes first.',
    transaction: 'The transaction, as of `eth_call`.',
  },
  errors: tracedCallErrors,
  example: { params: ['FLAT', exampleTransfer, 'latest'], result: exampleExecution },
  async handler({ outcomes }, { format: first, transaction: second, block: third }) {
    const { format, subject, block } = executionParams({ first, second, third }, 'transaction')
    const { results } = await outcomes.simulate({ calls: [subject], block })
    const [encoded] = results.map((result) => encodeAlchemyExecution(result, format))
    return encoded as NonNullable<typeof encoded>
  },
})
