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
    'Resets the network to its start: deletes all blocks, local state and follows, and funds the accounts again. With `forking`, restarts at another block or on another live chain (default: its latest block), and stays there across restarts.',
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
