import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

const FileLinesObject = z
  .object({
    file: z.string(),
    lines: z.array(z.number()),
    /** Those of `lines` that the run comes to. */
    reached: z.array(z.number()),
  })
  .meta({ title: 'FileLines' })

export const debugLines = defineMethod({
  name: 'dev_debugLines',
  summary:
    'Lists the lines of source files that have code in the contracts of a debug session, and which of them the run comes to: where breakpoints can be.',
  role: 'read',
  isSlow: true,
  params: { id: z.string() },
  result: z.array(FileLinesObject),
  fields: {
    id: 'Id of the debug session.',
  },
  errors: ['DEBUG_SESSION_NOT_FOUND'],
  example: {
    params: ['k3v0x7p1w9q2m5n8b4c6d7fz'],
    result: [{ file: 'src/Counter.sol', lines: [9, 10, 14], reached: [9, 10] }],
  },
  handler: ({ debugger: sessions }, { id }) => sessions.lines(id),
})
