import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const impersonateAccount = defineMethod({
  name: 'dev_impersonateAccount',
  aliases: ['anvil_impersonateAccount', 'hardhat_impersonateAccount', 'tenderly_impersonateAccount'],
  aliasResults: { anvil_impersonateAccount: null },
  summary: 'Lets an address send transactions with eth_sendTransaction without a signature. Persists across restarts.',
  role: 'admin',
  params: { address: Address },
  result: z.literal(true),
  fields: {
    address: 'The account.',
  },
  example: { params: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'], result: true },
  async handler({ senders }, { address }) {
    await senders.impersonate(address)
    return true as const
  },
})
