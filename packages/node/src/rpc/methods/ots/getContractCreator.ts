import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { HexAddress, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const getContractCreator = defineMethod({
  name: 'ots_getContractCreator',
  summary: 'Returns the creator of a contract and the creating transaction, or null if unknown.',
  role: 'read',
  params: { address: Address },
  result: z.object({ hash: HexWord, creator: HexAddress }).nullable(),
  example: {
    params: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'],
    result: { hash: exampleTransaction.hash, creator: exampleTransaction.from },
  },
  handler: async ({ otterscan }, { address }) => (await otterscan.loadCreator(address)) ?? null,
})
