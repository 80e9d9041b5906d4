import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { acrossNetworks } from '../../subscriptions/acrossNetworks.ts'
import { newPendingTransactions } from '../../subscriptions/topics/newPendingTransactions.ts'

export const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  summary:
    'Makes a filter of the pool. Its changes are the hashes of transactions that enter it, or the whole when `full` is true.',
  role: 'read',
  params: { full: withDefault(z.boolean(), false) },
  result: HexQuantity,
  example: { params: [], result: '0x9cef478923ff08bf67fde6c64013158d' },
  handler: (services, { full }, { key }) =>
    services.filters.add(
      acrossNetworks(services, (notify) => newPendingTransactions.start(services, full, notify)),
      { key },
    ) as `0x${string}`,
})
