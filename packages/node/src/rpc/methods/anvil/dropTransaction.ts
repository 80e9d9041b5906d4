import { Hash } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const hash = '0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784'

export const dropTransaction = defineMethod({
  name: 'anvil_dropTransaction',
  aliases: ['tenderly_dropTransaction'],
  summary: 'Removes a transaction from the pool and returns its hash, or null if it is not in the pool.',
  role: 'admin',
  params: { hash: Hash },
  result: HexWord.nullable(),
  example: { params: [hash], result: hash },
  handler: async ({ submission }, { hash }) => ((await submission.drop({ hash })) > 0 ? hash : null),
})
