import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const gasPrice = defineMethod({
  name: 'eth_gasPrice',
  summary: 'Returns a gas price, in wei, that the next block accepts: its base fee and a tip.',
  role: 'read',
  params: {},
  result: HexQuantity,
  example: { params: [], result: '0x77359400' },
  handler: async ({ history, submission }) =>
    quantity((history.pendingHeader().baseFeePerGas ?? 0n) + (await submission.suggestTip())),
})
