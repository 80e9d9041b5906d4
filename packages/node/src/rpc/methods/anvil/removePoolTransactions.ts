import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const removePoolTransactions = defineMethod({
  name: 'anvil_removePoolTransactions',
  summary: 'Removes the transactions of one sender from the pool.',
  role: 'admin',
  params: { address: Address },
  result: z.null(),
  example: { params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'], result: null },
  async handler({ submission }, { address }) {
    await submission.drop({ sender: address })
    return null
  },
})
