import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setCoinbase = defineMethod({
  name: 'anvil_setCoinbase',
  aliases: ['hardhat_setCoinbase'],
  summary: 'Sets who gets the fees of the next block and of those after it.',
  role: 'admin',
  params: { address: Address },
  result: z.null(),
  example: { params: ['0x00000000000000000000000000000000000000aa'], result: null },
  async handler({ blockSettings }, { address }) {
    await blockSettings.setNext({ coinbase: address })
    return null
  },
})
