import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import { exampleBundleId } from '../../examples.ts'

export const showCallsStatus = defineMethod({
  name: 'wallet_showCallsStatus',
  summary: 'Does nothing for a known bundle: the dashboard shows its transactions already.',
  role: 'read',
  params: { id: z.string() },
  result: z.null(),
  errors: ['WALLET_CALLS_UNKNOWN'],
  example: { params: [exampleBundleId], result: null },
  async handler({ walletCalls }, { id }) {
    await walletCalls.loadStatus(id)
    return null
  },
})
