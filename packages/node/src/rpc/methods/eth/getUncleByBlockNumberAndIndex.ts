import { BlockNumberOrTag } from '../../codecs/blockTag.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { BlockObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getUncleByBlockNumberAndIndex = defineMethod({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'Returns null: proof-of-stake blocks have no uncles, and older ones are not stored.',
  role: 'read',
  params: { block: BlockNumberOrTag, index: Quantity64 },
  result: BlockObject.nullable(),
  example: { params: ['0x1', '0x0'], result: null },
  handler: () => null,
})
