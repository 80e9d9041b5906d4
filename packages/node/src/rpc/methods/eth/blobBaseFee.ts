import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const blobBaseFee = defineMethod({
  name: 'eth_blobBaseFee',
  summary: 'Returns the base fee per blob gas of the next block, in wei.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x1' },
  async handler({ history }) {
    const { block } = history.next()
    return quantity(block.blobBaseFee)
  },
})
