import { z } from 'zod'
import { quantityUpTo } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Libraries hold chain ids as numbers, and sign for none that is 0. */
const SafeChainId = quantityUpTo(
  BigInt(Number.MAX_SAFE_INTEGER),
  `a chain id (0x-hex, decimal digits or a number, from 1 to ${Number.MAX_SAFE_INTEGER})`,
  { title: 'ChainId' },
  1n,
)

export const setChainId = defineMethod({
  name: 'anvil_setChainId',
  summary:
    'Sets the chain id of the network. Pending transactions with another chain id are dropped; replays of earlier blocks keep the old one. Persists across restarts.',
  role: 'admin',
  params: { chainId: SafeChainId },
  result: z.null(),
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [73_571], result: null },
  async handler({ blockSettings }, { chainId }) {
    await blockSettings.setChainId(chainId)
    return null
  },
})
