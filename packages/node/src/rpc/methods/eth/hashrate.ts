import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const hashrate = defineMethod({
  name: 'eth_hashrate',
  summary: 'Returns 0x0: the network has no proof of work.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x0' },
  handler: () => '0x0' as const,
})
