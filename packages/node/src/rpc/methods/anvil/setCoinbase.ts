import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setCoinbase = defineMethod({
  name: 'anvil_setCoinbase',
  aliases: ['hardhat_setCoinbase', 'tenderly_setCoinbase'],
  summary: 'Sets the fee recipient of the next block and of later ones.',
  role: 'admin',
  params: { address: Address },
  result: z.null(),
  example: { params: ['0x00000000000000000000000000000000000000aa'], result: null },
  async handler({ blockSettings }, { address }) {
    await blockSettings.setNext({ coinbase: address })
    return null
  },
})
