import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const coinbase = defineMethod({
  name: 'eth_coinbase',
  summary: 'Returns the fee recipient of the next block.',
  role: 'read',
  params: {},
  result: HexAddress,
  example: { params: [], result: '0x0000000000000000000000000000000000000000' },
  handler: ({ history }) => history.pendingHeader().coinbase,
})
