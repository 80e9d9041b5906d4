import { Hash } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionHashOf } from '../../encode/block.ts'

export const getRawTransactionByBlockHashAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockHashAndIndex',
  summary: 'Returns the EIP-2718 encoding of a transaction of a block, or null if there is none.',
  role: 'read',
  params: { hash: Hash, index: Quantity64 },
  result: HexBytes.nullable(),
  // Truncated: the full encoding has about a hundred bytes.
  errors: ['UNSUPPORTED'],
  example: { params: ['0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6', '0x0'], result: '0x02f8' },
  async handler({ history, rawData }, { hash, index }) {
    const found = encodeTransactionHashOf(await history.loadBlock({ hash }), index)
    return found === null ? null : ((await rawData.transaction(found)) ?? null)
  },
})
