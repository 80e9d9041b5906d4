import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Returns a price per gas, in wei, that the next block takes: its base fee and a tip.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x77359400' },
  handler: async ({ history, submission }) =>
    quantity((history.pendingHeader().baseFeePerGas ?? 0n) + (await submission.suggestTip())),
})
