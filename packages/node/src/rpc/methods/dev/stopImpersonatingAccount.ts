import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const stopImpersonatingAccount = defineMethod({
  name: 'dev_stopImpersonatingAccount',
  aliases: ['anvil_stopImpersonatingAccount', 'hardhat_stopImpersonatingAccount', 'tenderly_stopImpersonatingAccount'],
  aliasResults: { anvil_stopImpersonatingAccount: null },
  summary: 'Removes an address from the impersonated addresses.',
  role: 'admin',
  params: { address: Address },
  result: z.literal(true),
  fields: {
    address: 'The account.',
  },
  example: { params: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'], result: true },
  async handler({ senders }, { address }) {
    await senders.stopImpersonating(address)
    return true as const
  },
})
