import { z } from 'zod'
import { withDefault } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { acrossNetworks } from '../../topics/defineTopic.ts'
import { newPendingTransactions } from '../../topics/standardTopics.ts'

export const newPendingTransactionFilter = defineMethod({
  name: 'eth_newPendingTransactionFilter',
  summary: 'Creates a filter for pending transactions. Its changes are hashes, or transactions if `full` is true.',
  role: 'read',
  params: { full: withDefault(z.boolean(), false) },
  result: HexQuantity,
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [], result: '0x9cef478923ff08bf67fde6c64013158d' },
  handler: (services, { full }, { key }) =>
    services.filters.add(
      acrossNetworks(services, (notify) => newPendingTransactions.start(services, full, notify)),
      { key },
    ) as `0x${string}`,
})
