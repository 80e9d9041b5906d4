import { Hash } from '../../codecs/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeUncleCount } from '../../encode/block.ts'

export const getUncleCountByBlockHash = defineMethod({
  name: 'eth_getUncleCountByBlockHash',
  summary:
    'Returns the number of uncles of a block, which is 0 since proof of stake, or null if there is no such block.',
  role: 'read',
  params: { hash: Hash },
  result: HexQuantity.nullable(),
  example: { params: ['0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6'], result: '0x0' },
  handler: async ({ history }, { hash }) => encodeUncleCount(await history.loadBlock({ hash })),
})
