import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

/** As anvil's method of this name, but for the result. */
export const dropTransactionOrNot = defineMethod({
  name: 'hardhat_dropTransaction',
  summary: 'Takes a transaction out of the pool; false when it is not there.',
  role: 'admin',
  params: { hash: Hash },
  result: z.boolean(),
  example: { params: ['0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784'], result: true },
  handler: async ({ submission }, { hash }) => (await submission.drop({ hash })) > 0,
})
