import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

/** The prefix `anvil/` is required: test tools check it before they use methods of test networks. */
export const clientVersion = defineMethod({
  name: 'web3_clientVersion',
  summary: 'Returns the name and version of the software.',
  role: 'read',
  params: {},
  result: z.string(),
  example: { params: [], result: 'anvil/understudy-v0.1.0' },
  handler: ({ info }) => `anvil/understudy-v${info().version}`,
})
