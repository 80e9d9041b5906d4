import { z } from 'zod'
import { TraceFilter, TraceObject } from '../../codecs/traces/parity.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleTrace } from '../../examples.ts'

export const filterTraces = defineMethod({
  name: 'trace_filter',
  summary: 'Returns the calls in a range of blocks that given addresses made or received, oldest first.',
  role: 'read',
  params: { filter: TraceFilter },
  result: z.array(TraceObject),
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [{ fromBlock: '0x1', toBlock: '0x1', toAddress: [exampleTrace.action.to] }],
    result: [exampleTrace],
  },
  async handler({ history, parityTraces }, { filter }) {
    const { number: from } = await history.resolve(filter.fromBlock ?? 'latest')
    const { number: to } = await history.resolve(filter.toBlock ?? 'latest')
    return parityTraces.filter({
      from,
      to,
      fromAddresses: filter.fromAddress,
      toAddresses: filter.toAddress,
      mode: filter.mode ?? 'union',
      after: filter.after === undefined ? undefined : Number(filter.after),
      count: filter.count === undefined ? undefined : Number(filter.count),
    })
  },
})
