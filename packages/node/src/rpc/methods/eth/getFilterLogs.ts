import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { FilterId } from '../../codecs/names.ts'
import { LogObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { loadLogs } from '../../encode/logRange.ts'
import { logErrors } from '../../errorGroups.ts'
import { exampleLog } from '../../examples.ts'

export const getFilterLogs = defineMethod({
  name: 'eth_getFilterLogs',
  summary: 'Returns all logs that match a log filter, like eth_getLogs.',
  role: 'read',
  params: { id: FilterId },
  result: z.array(LogObject),
  errors: ['FILTER_NOT_FOUND', ...logErrors],
  example: { params: ['0x9cef478923ff08bf67fde6c64013158d'], result: [exampleLog] },
  handler({ filters, history }, { id }, { budget }) {
    const query = filters.query(id)
    if (!query)
      throw new NetworkError('INVALID_PARAMS', { field: 'params[0] (id)', problem: `filter ${id} is not a log filter` })
    return loadLogs(history, query, budget.bytes)
  },
})
