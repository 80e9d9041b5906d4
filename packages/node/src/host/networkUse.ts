import type { NetworkCaller } from '../rpc/services.ts'
import type { UsedNetwork, UseNetwork } from '../server/tenderly/route.ts'
import type { Logger } from '../shared/logger.ts'
import type { AwakeNetworks } from './awakeNetworks.ts'
import type { HostNetworks, KnownNetwork } from './networks.ts'

type Needs = { networks: Pick<HostNetworks, 'find' | 'known'>; awake: AwakeNetworks; logger: Logger }

/** Opens networks of the process for the requests of others: by their names, or by the ids of their chains. */
export function createNetworkUse({ networks, awake, logger }: Needs): UseNetwork {
  /** By the id of a network, as it was when it was last awake. */
  const chainIds = new Map<string, bigint>()

  async function use(network: KnownNetwork): Promise<UsedNetwork & { chainId: bigint }> {
    const { node, release } = await awake.use(network, () => {})
    const { chainId } = node.services.info()
    chainIds.set(network.id, chainId)
    return { name: network.name, dispatcher: node.dispatcher, useBranch: node.useBranch, release, chainId }
  }

  const chainIdOf = (network: KnownNetwork): bigint | undefined =>
    awake.peek(network)?.services.info().chainId ?? chainIds.get(network.id) ?? network.config().chainId

  async function ofChain(chainId: bigint, caller: NetworkCaller): Promise<UsedNetwork | undefined> {
    const known = await networks.known(caller)
    const ids = new Set(known.map(({ id }) => id))
    for (const id of chainIds.keys()) if (!ids.has(id)) chainIds.delete(id)
    const likely = known.filter((network) => chainIdOf(network) === chainId)
    // One that failed to open is left to those who ask for it by its name.
    const unknown = known.filter(
      (network) => chainIdOf(network) === undefined && awake.stateOf(network).problem === undefined,
    )
    for (const network of [...likely, ...unknown]) {
      const used = await use(network).catch((error) => {
        logger.warn({ err: error, network: network.name }, 'Could not open a network to learn its chain id')
        return undefined
      })
      if (used?.chainId === chainId) return used
      used?.release()
    }
    return undefined
  }

  return async (wanted, caller) => {
    if ('chainId' in wanted) return ofChain(wanted.chainId, caller)
    const network = await networks.find(wanted.name, caller)
    return network && use(network)
  }
}
