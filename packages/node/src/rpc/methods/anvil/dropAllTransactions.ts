import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'

export const dropAllTransactions = defineMethod({
  name: 'anvil_dropAllTransactions',
  aliases: ['hardhat_dropAllTransactions'],
  summary: 'Removes all transactions from the pool.',
  role: 'admin',
  params: {},
  result: z.null(),
  example: { params: [], result: null },
  async handler({ submission }) {
    await submission.drop('all')
    return null
  },
})
