import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const autoImpersonateAccount = defineMethod({
  name: 'anvil_autoImpersonateAccount',
  aliases: ['hardhat_autoImpersonateAccount'],
  summary: 'Lets every address send transactions without a signature, or turns this off. Persists across restarts.',
  role: 'admin',
  params: { enabled: z.boolean() },
  result: z.null(),
  example: { params: [true], result: null },
  async handler({ senders }, { enabled }) {
    await senders.impersonateAll(enabled)
    return null
  },
})
