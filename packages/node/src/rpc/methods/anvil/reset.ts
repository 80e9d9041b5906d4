import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

const Target = z.object({
  forking: optional(z.object({ jsonRpcUrl: optional(z.string()), blockNumber: optional(Quantity64) })),
})

/** The live chain and the block at which the network left it are chosen when it starts. */
export const reset = defineMethod({
  name: 'anvil_reset',
  aliases: ['hardhat_reset'],
  summary:
    'Takes the network back to its beginning: every block and everything local is forgotten, follows too, and the accounts are funded anew. Another live chain or another block of it needs another network.',
  role: 'admin',
  params: { target: optional(Target) },
  result: z.literal(true),
  example: { params: [], result: true },
  async handler({ chain, upstream }, { target }) {
    const { jsonRpcUrl, blockNumber } = target?.forking ?? {}
    if (jsonRpcUrl !== undefined && jsonRpcUrl !== upstream()?.url)
      throw new NetworkError('UNSUPPORTED', {
        what: 'a reset to another live chain. Start another network with --fork-url and a --data-dir of its own',
      })
    if (blockNumber !== undefined && blockNumber !== chain.origin.number)
      throw new NetworkError('UNSUPPORTED', {
        what: `a reset to block ${blockNumber}: this network began at block ${chain.origin.number}. Start another with --fork-block-number ${blockNumber} and a --data-dir of its own`,
      })
    await chain.reset()
    return true as const
  },
})
