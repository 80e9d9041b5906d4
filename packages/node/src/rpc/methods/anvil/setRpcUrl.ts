import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const setRpcUrl = defineMethod({
  name: 'anvil_setRpcUrl',
  aliases: ['hardhat_setRpcUrl', 'tenderly_setRpcUrl'],
  summary:
    'Reads the forked chain at another URL, and keeps everything local, also across restarts. The chain there must have the blocks that the network is based on.',
  role: 'admin',
  params: { url: z.string().max(2048) },
  result: z.null(),
  errors: ['NOT_A_FORK', 'RESET_TO_URL_NOT_ALLOWED', 'RESET_URL_UNUSABLE', 'UNSUPPORTED'],
  example: { params: ['https://your-rpc.example'], result: null },
  async handler({ resets }, { url }) {
    await resets.setUrl(url)
    return null
  },
})
