import { z } from 'zod'
import { FilterId } from '../../codecs/names.ts'
import { HexWord, LogObject, TransactionObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleLog } from '../../examples.ts'

export const getFilterChanges = defineMethod({
  name: 'eth_getFilterChanges',
  summary: 'Returns the changes since a filter was created or last polled, oldest first.',
  role: 'read',
  params: { id: FilterId },
  result: z.array(z.union([HexWord, LogObject, TransactionObject])),
  errors: ['FILTER_NOT_FOUND'],
  example: { params: ['0x9cef478923ff08bf67fde6c64013158d'], result: [exampleLog] },
  handler: ({ filters }, { id }) => filters.take(id) as Record<string, unknown>[],
})
