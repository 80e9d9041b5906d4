import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const setLoggingEnabled = defineMethod({
  name: 'anvil_setLoggingEnabled',
  aliases: ['hardhat_setLoggingEnabled', 'tenderly_setLoggingEnabled'],
  summary: 'Does nothing; exists for compatibility. Set the log level with --log-level.',
  role: 'admin',
  params: { enabled: z.boolean() },
  result: z.null(),
  example: { params: [true], result: null },
  handler: () => null,
})
