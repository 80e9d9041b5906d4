import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const snapshot = defineMethod({
  name: 'evm_snapshot',
  aliases: ['anvil_snapshot'],
  summary: 'Takes a snapshot of the network and returns its id for evm_revert.',
  role: 'admin',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x1' },
  handler: async ({ rewinds }) => quantity(await rewinds.snapshot()),
})
