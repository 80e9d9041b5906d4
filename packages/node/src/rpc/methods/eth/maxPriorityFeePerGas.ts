import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

/** One gwei, in wei. Nobody competes for room in a block here. */
export const suggestedTip = 1_000_000_000n

export const maxPriorityFeePerGas = defineMethod({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Returns the tip per gas, in wei, that is suggested: one gwei.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x3b9aca00' },
  handler: () => quantity(suggestedTip),
})
