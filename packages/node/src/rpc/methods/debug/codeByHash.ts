import { BlockTag } from '../../codecs/blockTag.ts'
import { Hash } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const codeByHash = defineMethod({
  name: 'debug_codeByHash',
  summary: 'Returns the code with a hash, if an account of the network has or had it, or null.',
  role: 'read',
  // Code does not depend on the block.
  params: { hash: Hash, block: optional(BlockTag) },
  result: HexBytes.nullable(),
  example: {
    params: ['0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    result: '0x',
  },
  handler: async ({ rawData }, { hash }) => (await rawData.code(hash)) ?? null,
})
