import { z } from 'zod'
import { FilterId } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'

export const unsubscribe = defineMethod({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this connection. Returns false if there is none with that id.',
  role: 'read',
  params: { id: FilterId },
  result: z.boolean(),
  example: { params: ['0x9cef478923ff08bf67fde6c64013158d'], result: true },
  handler: (_services, { id }, { subscriber }) => subscriber?.unsubscribe(id) ?? false,
})
