import { z } from 'zod'
import { wordFromBigint } from '../../../shared/hex.ts'
import { Quantity } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setPrevRandao = defineMethod({
  name: 'hardhat_setPrevRandao',
  aliases: ['anvil_setPrevRandao', 'anvil_setNextBlockPrevRandao', 'hardhat_setNextBlockPrevRandao'],
  summary: 'Sets the PREVRANDAO value of the next block. Later blocks have their own values again.',
  role: 'admin',
  params: { value: Quantity },
  result: z.literal(true),
  example: { params: ['0x1234'], result: true },
  async handler({ blockSettings }, { value }) {
    await blockSettings.setNext({ mixHash: wordFromBigint(value) })
    return true as const
  },
})
