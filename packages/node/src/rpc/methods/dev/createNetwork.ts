import { z } from 'zod'
import { HostedNetworkName, NetworkLabel } from '../../codecs/names.ts'
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
  like: optional(HostedNetworkName),
  label: optional(NetworkLabel),
})

export const createNetwork = defineMethod({
  name: 'dev_createNetwork',
  summary:
    'Makes a network beside the others of `understudy serve`, and opens it. Its options are those of the same names of `understudy start` about the fork, the chain and the accounts; others are as in the configuration file: those of all networks, or those of the network `like`, whose live chain it then forks, too. Without fork-url, there or here, it forks nothing.',
  role: 'admin',
  isLocal: true,
  params: { input: Input },
  result: HostedNetworkObject,
  fields: {
    name: 'Name of the network, which is part of its URL.',
    options: 'Options of `understudy start`, by their names without dashes.',
    like: 'Name of a network of the configuration file, whose options it has where it has none of its own.',
    label: 'Name for people, of at most 200 characters.',
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
  async handler({ networks }, { input: { name, options = {}, like, label } }, caller) {
    const all = requireNetworks(networks)
    return encodeHostedNetwork(await all.create({ name, options, like, label }, caller), all)
  },
})
