import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const chainId = defineMethod({
  name: 'eth_chainId',
  summary: 'Returns the chain id for signing transactions.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x1' },
  handler: ({ history }) => quantity(history.chainId),
})
