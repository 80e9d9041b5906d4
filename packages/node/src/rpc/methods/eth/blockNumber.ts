import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const blockNumber = defineMethod({
  name: 'eth_blockNumber',
  summary: 'Returns the number of the latest block.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x1406f40' },
  handler: ({ history }) => quantity(history.head().header.number),
})
