import { z } from 'zod'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodeHostedNetwork,
  exampleHostedNetwork,
  HostedNetworkObject,
  requireNetworks,
} from '../../encode/networks/hostedNetwork.ts'

export const getNetworks = defineMethod({
  name: 'dev_getNetworks',
  summary:
    'Lists the networks of `understudy serve` that the key of the caller may use, by name: whether they are awake at this node, and how long the last wake took.',
  role: 'read',
  isLocal: true,
  params: {},
  result: z.array(HostedNetworkObject),
  errors: ['SERVES_ONE_NETWORK'],
  example: { params: [], result: [exampleHostedNetwork] },
  async handler({ networks }, _params, caller) {
    const all = requireNetworks(networks)
    return (await all.list(caller)).map((network) => encodeHostedNetwork(network, all))
  },
})
