import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const intervalMine = defineMethod({
  name: 'hardhat_intervalMine',
  summary: 'Seals a block as interval mode would.',
  role: 'admin',
  params: {},
  result: z.literal(true),
  example: { params: [], result: true },
  async handler({ mining }) {
    await mining.mine(1n)
    return true as const
  },
})
