import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

/** Like anvil's method of this name, with another result. */
export const dropTransactionOrNot = defineMethod({
  name: 'hardhat_dropTransaction',
  summary: 'Removes a transaction from the pool. Returns false if it is not in the pool.',
  role: 'admin',
  params: { hash: Hash },
  result: z.boolean(),
  example: { params: ['0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784'], result: true },
  handler: async ({ submission }, { hash }) => (await submission.drop({ hash })) > 0,
})
