import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const poolStatus = defineMethod({
  name: 'txpool_status',
  summary: 'Returns the number of transactions in the pool: executable ones, and queued ones that wait for a nonce.',
  role: 'read',
  readsPool: 'always',
  params: {},
  result: z.object({ pending: HexQuantity, queued: HexQuantity }),
  example: { params: [], result: { pending: '0x1', queued: '0x0' } },
  async handler({ submission }) {
    const senders = await submission.loadPending()
    const count = (which: 'pending' | 'queued') =>
      quantity(senders.reduce((sum, sender) => sum + sender[which].length, 0))
    return { pending: count('pending'), queued: count('queued') }
  },
})
