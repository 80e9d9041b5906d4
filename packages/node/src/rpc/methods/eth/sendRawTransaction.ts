import { BytesAsHex } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed transaction and returns its hash.',
  role: 'write',
  params: { transaction: BytesAsHex },
  result: HexWord,
  example: {
    params: ['0x02f86f01808459682f008459682f1482520894'],
    result: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
  handler: ({ chain }, { transaction }) => chain.submitRaw(transaction),
})
