import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const peerCount = defineMethod({
  name: 'net_peerCount',
  summary: 'Returns 0x0: the network has no peers.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x0' },
  handler: () => '0x0' as const,
})
