import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeTransactionHashOf } from '../../encode/block.ts'

export const getRawTransactionByBlockNumberAndIndex = defineMethod({
  name: 'eth_getRawTransactionByBlockNumberAndIndex',
  summary: 'Returns the EIP-2718 encoding of a transaction of a block, or null if there is none.',
  role: 'read',
  params: { block: BlockNumberOrTag, index: Quantity64 },
  result: HexBytes.nullable(),
  // Truncated: the full encoding has about a hundred bytes.
  errors: ['BLOCK_PRUNED', 'UNSUPPORTED'],
  example: { params: ['0x1', '0x0'], result: '0x02f8' },
  async handler({ history, rawData }, { block, index }) {
    const found = encodeTransactionHashOf(await history.loadBlock(block), index)
    return found === null ? null : ((await rawData.transaction(found)) ?? null)
  },
})
