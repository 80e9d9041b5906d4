import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const snapshot = defineMethod({
  name: 'evm_snapshot',
  aliases: ['anvil_snapshot'],
  summary: 'Remembers the network as it is now and returns the id with which evm_revert goes back to it.',
  role: 'admin',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x1' },
  handler: async ({ rewinds }) => quantity(await rewinds.snapshot()),
})
