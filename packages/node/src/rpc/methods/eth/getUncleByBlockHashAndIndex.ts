import { Hash } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getUncleByBlockHashAndIndex = defineMethod({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'Returns null: proof-of-stake blocks have no uncles, and older ones are not stored.',
  role: 'read',
  params: { hash: Hash, index: Quantity64 },
  result: BlockObject.nullable(),
  example: { params: ['0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6', '0x0'], result: null },
  handler: () => null,
})
