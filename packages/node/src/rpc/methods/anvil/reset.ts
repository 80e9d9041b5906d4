import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

const Target = z.object({
  forking: optional(z.object({ jsonRpcUrl: optional(z.string()), blockNumber: optional(Quantity64) })),
})

export const reset = defineMethod({
  name: 'anvil_reset',
  aliases: ['hardhat_reset'],
  summary:
    'Takes the network back to its beginning: every block and everything local is forgotten, follows too, and the accounts are funded anew. With `forking` it begins at another block, or on another live chain, at its newest block when none is named; it stays there over restarts.',
  role: 'admin',
  params: { target: optional(Target) },
  result: z.literal(true),
  example: { params: [], result: true },
  async handler({ resets }, { target }) {
    const { jsonRpcUrl: url, blockNumber } = target?.forking ?? {}
    await resets.reset({ url, blockNumber })
    return true as const
  },
})
