import { z } from 'zod'
import { FilterId } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'

export const uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  summary: 'Deletes a filter. Returns false if there is none with that id.',
  role: 'read',
  params: { id: FilterId },
  result: z.boolean(),
  example: { params: ['0x9cef478923ff08bf67fde6c64013158d'], result: true },
  handler: ({ filters }, { id }) => filters.remove(id),
})
