import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Returns the tip per gas, in wei, that the live chain suggests, or 1 gwei if nothing is forked.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x3b9aca00' },
  handler: async ({ submission }) => quantity(await submission.suggestTip()),
})
