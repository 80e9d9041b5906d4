import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const baseFee = defineMethod({
  name: 'eth_baseFee',
  summary: 'Returns the base fee per gas of the next block, in wei.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x342770c0' },
  handler: ({ history }) => quantity(history.pendingHeader().baseFeePerGas ?? 0n),
})
