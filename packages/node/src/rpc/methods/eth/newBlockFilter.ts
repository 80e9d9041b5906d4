import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { acrossNetworks } from '../../topics/defineTopic.ts'

export const newBlockFilter = defineMethod({
  name: 'eth_newBlockFilter',
  summary: 'Creates a filter for new blocks. Its changes are block hashes.',
  role: 'read',
  params: {},
  result: HexQuantity,
  errors: ['LIMIT_EXCEEDED'],
  example: { params: [], result: '0x9cef478923ff08bf67fde6c64013158d' },
  handler: (services, _params, { key }) =>
    services.filters.add(
      acrossNetworks(services, (notify) => services.chainEvents.on('block', ({ block }) => notify(block.hash))),
      { key },
    ) as `0x${string}`,
})
