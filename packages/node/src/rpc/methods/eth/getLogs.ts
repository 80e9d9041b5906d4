import { z } from 'zod'
import { LogFilter } from '../../codecs/logFilter.ts'
import { LogObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { loadLogs } from '../../encode/logRange.ts'
import { logErrors } from '../../errorGroups.ts'
import { exampleLog } from '../../examples.ts'

export const getLogs = defineMethod({
  name: 'eth_getLogs',
  summary: 'Returns the logs of one block or a range of blocks that match a filter, oldest first.',
  role: 'read',
  params: { filter: LogFilter },
  result: z.array(LogObject),
  errors: logErrors,
  example: {
    params: [{ fromBlock: '0x1', toBlock: 'latest', address: exampleLog.address }],
    result: [exampleLog],
  },
  handler: ({ history }, { filter }, { budget }) => loadLogs(history, filter, budget.bytes),
})
