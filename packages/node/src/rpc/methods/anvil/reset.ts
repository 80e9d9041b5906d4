import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'

const fork = { jsonRpcUrl: optional(z.string()), blockNumber: optional(Quantity64) }

/** Alloy sends what is to be forked without `forking`, and anvil takes both. */
const Target = z
  .strictObject({ forking: optional(z.strictObject(fork)), ...fork })
  .check(({ value: { forking, jsonRpcUrl, blockNumber }, issues }) => {
    if (forking && (jsonRpcUrl ?? blockNumber) !== undefined)
      issues.push({
        code: 'custom',
        input: forking,
        path: ['forking'],
        message: 'conflicts with jsonRpcUrl and blockNumber beside it; pass them within it',
      })
  })
  .transform(({ forking, ...own }) => forking ?? own)
  .meta({
    title: 'ResetTarget',
    description: 'an object with forking, which has any of jsonRpcUrl and blockNumber, or with these themselves',
  })

export const reset = defineMethod({
  name: 'anvil_reset',
  aliases: ['hardhat_reset', 'tenderly_reset'],
  summary:
    'Resets the network to its start: deletes all blocks, local state and follows, and funds the accounts again. With `forking`, restarts at another block or on another live chain (default: its latest block), and stays there across restarts.',
  role: 'admin',
  params: { target: optional(Target) },
  result: z.literal(true),
  errors: [
    'NOT_A_FORK',
    'BLOCK_NOT_FOUND',
    'RESET_TO_URL_NOT_ALLOWED',
    'RESET_URL_UNUSABLE',
    'HARDFORK_UNKNOWN',
    'UNSUPPORTED',
  ],
  example: { params: [], result: true },
  async handler({ resets }, { target }) {
    const { jsonRpcUrl: url, blockNumber } = target ?? {}
    await resets.reset({ url, blockNumber })
    return true as const
  },
})
