import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const hasCode = defineMethod({
  name: 'ots_hasCode',
  summary: 'Returns whether an address has code.',
  role: 'read',
  params: { address: Address, block: withDefault(BlockTag, 'latest') },
  result: z.boolean(),
  errors: blockErrors,
  example: { params: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'latest'], result: true },
  handler: async ({ reads }, { address, block }) => (await reads.loadCode(address, block)).length > 0,
})
