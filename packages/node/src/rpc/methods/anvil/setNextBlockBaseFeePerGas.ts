import { z } from 'zod'
import { Quantity } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'

export const setNextBlockBaseFeePerGas = defineMethod({
  name: 'anvil_setNextBlockBaseFeePerGas',
  aliases: ['hardhat_setNextBlockBaseFeePerGas', 'tenderly_setNextBlockBaseFeePerGas'],
  summary: 'Sets the base fee of the next block, in wei per gas. Later base fees follow from it (EIP-1559).',
  role: 'admin',
  params: { baseFee: Quantity },
  result: z.null(),
  example: { params: ['0x3b9aca00'], result: null },
  async handler({ blockSettings }, { baseFee }) {
    await blockSettings.setNext({ baseFeePerGas: baseFee })
    return null
  },
})
