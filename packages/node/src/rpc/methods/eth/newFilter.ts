import { LogFilter } from '../../codecs/logFilter.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleLog } from '../../examples.ts'
import { acrossNetworks } from '../../topics/defineTopic.ts'
import { logs } from '../../topics/standardTopics.ts'

export const newFilter = defineMethod({
  name: 'eth_newFilter',
  summary: 'Creates a filter for logs. Its changes are new matching logs, and reverted ones with `removed` set.',
  role: 'read',
  params: { filter: LogFilter },
  result: HexQuantity,
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [{ address: exampleLog.address }], result: '0x9cef478923ff08bf67fde6c64013158d' },
  handler: (services, { filter }, { key }) =>
    services.filters.add(
      acrossNetworks(services, (notify) => logs.start(services, filter, notify)),
      { key, query: filter },
    ) as `0x${string}`,
})
