import { Hash } from '../../codecs/hex.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleTransaction } from '../../examples.ts'

export const getRawTransaction = defineMethod({
  name: 'debug_getRawTransaction',
  aliases: ['eth_getRawTransactionByHash'],
  summary: 'Returns the EIP-2718 encoding of a pending or sealed transaction, or null if there is none.',
  role: 'read',
  readsPool: 'when null',
  params: { hash: Hash },
  result: HexBytes.nullable(),
  // Truncated: the full encoding has about a hundred bytes.
  errors: ['UNSUPPORTED'],
  example: { params: [exampleTransaction.hash], result: '0x02f8' },
  handler: async ({ rawData }, { hash }) => (await rawData.transaction(hash)) ?? null,
})
