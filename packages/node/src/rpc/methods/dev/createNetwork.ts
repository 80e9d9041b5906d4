import { z } from 'zod'
import { HostedNetworkName } from '../../codecs/names.ts'
import { optional } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import {
  encodeHostedNetwork,
  exampleHostedNetwork,
  HostedNetworkObject,
  requireNetworks,
} from '../../encode/networks/hostedNetwork.ts'

const Input = z.strictObject({
  name: HostedNetworkName,
  options: optional(z.record(z.string().max(40), z.unknown())),
})

export const createNetwork = defineMethod({
  name: 'dev_createNetwork',
  summary:
    'Makes a network beside the others of `understudy serve`, and opens it. Its options are those of the same names of `understudy start` about the fork, the chain and the accounts; others are as in the configuration file. Without fork-url, there or here, it forks nothing.',
  role: 'admin',
  isLocal: true,
  params: { input: Input },
  result: HostedNetworkObject,
  fields: {
    name: 'Name of the network, which is part of its URL.',
    options: 'Options of `understudy start`, by their names without dashes.',
  },
  errors: [
    'HOSTED_NETWORK_EXISTS',
    'HOSTED_NETWORK_LIMIT_EXCEEDED',
    'HOSTED_NETWORK_NOT_CREATED',
    'KEY_NETWORK_QUOTA_EXCEEDED',
    'SERVES_ONE_NETWORK',
  ],
  example: {
    params: [{ name: exampleHostedNetwork.name, options: { 'fork-url': 'https://rpc.example', 'chain-id': 73571 } }],
    result: exampleHostedNetwork,
  },
  async handler({ networks }, { input: { name, options = {} } }, caller) {
    const all = requireNetworks(networks)
    return encodeHostedNetwork(await all.create({ name, options }, caller), all)
  },
})
