import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const getBlobsByTransactionHash = defineMethod({
  name: 'anvil_getBlobsByTransactionHash',
  summary:
    'Returns the blobs that a transaction was sent with, or null if it has none, or they are no longer kept (--keep-blobs).',
  role: 'read',
  params: { hash: Hash },
  result: z.array(HexBytes).nullable(),
  // Truncated: a blob has 131072 bytes.
  example: { params: [exampleTransaction.hash], result: ['0x0000'] },
  handler: async ({ blobs }, { hash }) => (await blobs.ofTransaction(hash)) ?? null,
})
