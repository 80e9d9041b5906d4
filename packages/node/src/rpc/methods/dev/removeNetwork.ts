import { z } from 'zod'
import { HostedNetworkName } from '../../codecs/names.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleHostedNetwork, requireNetworks } from '../../encode/networks/hostedNetwork.ts'

export const removeNetwork = defineMethod({
  name: 'dev_removeNetwork',
  summary: 'Removes a network that dev_createNetwork made, and everything in it. Its requests have two seconds to end.',
  role: 'admin',
  isLocal: true,
  params: { name: HostedNetworkName },
  result: z.object({ removed: z.literal(true) }),
  fields: {
    name: 'Name of the network.',
  },
  errors: [
    'HOSTED_NETWORK_NOT_FOUND',
    'HOSTED_NETWORK_NOT_REMOVABLE',
    'CANNOT_REMOVE_FROM_WITHIN',
    'SERVES_ONE_NETWORK',
  ],
  example: { params: [exampleHostedNetwork.name], result: { removed: true } },
  async handler({ networks }, { name }, caller) {
    await requireNetworks(networks).remove(name, caller)
    return { removed: true as const }
  },
})
