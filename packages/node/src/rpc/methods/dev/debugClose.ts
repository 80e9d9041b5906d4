import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const debugClose = defineMethod({
  name: 'dev_debugClose',
  summary: 'Closes a debug session. False if there is none of that id on this node.',
  role: 'read',
  params: { id: z.string() },
  result: z.boolean(),
  fields: {
    id: 'Id of the debug session.',
  },
  example: { params: ['k3v0x7p1w9q2m5n8b4c6d7fz'], result: true },
  handler: ({ debugger: sessions }, { id }) => sessions.close(id),
})
