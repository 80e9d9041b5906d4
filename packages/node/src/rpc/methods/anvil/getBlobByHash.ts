import { Hash } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getBlobByHash = defineMethod({
  name: 'anvil_getBlobByHash',
  summary: 'Returns a blob by its versioned hash, or null if it is not, or no longer, kept (--keep-blobs).',
  role: 'read',
  params: { hash: Hash },
  result: HexBytes.nullable(),
  // Truncated: a blob has 131072 bytes.
  example: { params: [`0x01${'ab'.repeat(31)}`], result: '0x0000' },
  handler: async ({ blobs }, { hash }) => (await blobs.byHash(hash)) ?? null,
})
