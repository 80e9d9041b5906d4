import { z } from 'zod'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setBlockGasLimit = defineMethod({
  name: 'evm_setBlockGasLimit',
  aliases: ['anvil_setBlockGasLimit', 'hardhat_setBlockGasLimit'],
  summary: 'Sets the gas limit of the next block and of later ones.',
  role: 'admin',
  params: { gasLimit: Quantity64 },
  result: z.literal(true),
  example: { params: ['0x1c9c380'], result: true },
  async handler({ blockSettings }, { gasLimit }) {
    await blockSettings.setNext({ gasLimit })
    return true as const
  },
})
