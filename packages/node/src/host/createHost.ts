import { createEvm } from '@understudy/evm'
import { createNode, type Node } from '../app/createNode.ts'
import { version } from '../app/version.ts'
import type { AnsweredCall } from '../rpc/dispatch/envelope.ts'
import { type Access, createAccess } from '../server/access.ts'
import { createInFlight } from '../server/inFlight.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import { openNetworkList } from '../storage/hosted/openNetworkList.ts'
import { createWorkers } from '../workers/workers.ts'
import { AwakeNetworks, type Found } from './awakeNetworks.ts'
import { createEphemeralStores } from './ephemeralStores.ts'
import type { HostConfig } from './hostConfig.ts'
import { createHostServer } from './hostServer.ts'
import { createNetworks } from './networks.ts'
import { createNetworkUse } from './networkUse.ts'

/** Several networks behind one port. */
export type Host = Service & {
  /** Known after `start`, without a trailing slash. */
  url(): string
  urlOf(name: string): string
  /** Opens the networks of the configuration. One that cannot be opened is logged, and tried again by its next request. */
  wakeAll(): Promise<void>
}

type Needs = {
  logger: Logger
  clock?: Clock
  workerFile?: URL
  /** Sees each call once it is answered; must not throw. */
  onAnswered?: (call: AnsweredCall) => void
}

/** Throws `DATA_DIRECTORY_IN_USE`, `DATABASE_UNUSABLE`… */
export async function createHost(
  config: HostConfig,
  { logger, clock = systemClock, workerFile, onAnswered }: Needs,
): Promise<Host> {
  const { common } = config
  const list = await openNetworkList(common)
  const access = createAccess({ ...common, apiKeys: config.keys }, { clock })
  const inFlight = createInFlight(common)
  const workers = createWorkers({ ...common, workers: 0 }, { clock, logger, file: workerFile })
  const urlOf = (name: string) => `${common.publicUrl ?? server.url()}/n/${name}`

  const stores = createEphemeralStores()

  /** What each network, by its id, has opened since this process started. */
  const startedOf = new Map<string, Set<NetworkNumber>>()

  async function open({ name, id }: Found, signal: AbortSignal): Promise<Node> {
    const find = async () => {
      const network = await networks.find(name, undefined, true)
      // It was removed while a request waited.
      if (network?.id !== id) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name })
      return network
    }
    const network = await find()
    const started = startedOf.get(id) ?? new Set()
    startedOf.set(id, started)
    const { nodeUrl } = common
    const config = network.config()
    const node = await createNode(
      {
        ...config,
        ...list.locationOf({ name, id: network.record?.id }),
        nodeUrl: nodeUrl === undefined ? undefined : `${nodeUrl.replace(/\/$/, '')}/n/${name}`,
      },
      {
        engine: createEvm(),
        logger: logger.child({ network: name }),
        clock,
        workerFile,
        signal,
        onAnswered,
        host: {
          ...{ access: accessOf(access, name), inFlight, started, workers },
          store: config.ephemeral ? await stores.open(id) : undefined,
          ...{ url: () => urlOf(name), requireRoom: () => networks.requireRoom(network), useNetwork },
          networks: {
            ...networks,
            async remove(other, caller) {
              if (other === name) throw new NetworkError('CANNOT_REMOVE_FROM_WITHIN', { name })
              await networks.remove(other, caller)
            },
          },
        },
      },
    )
    try {
      await node.start()
      signal.throwIfAborted()
      // Another node may have removed it in the meantime.
      await find()
    } catch (error) {
      await node.stop()
      const { record } = network
      if (record && isNetworkError(error, 'HOSTED_NETWORK_NOT_FOUND')) await list.remove(record)
      throw error
    }
    return node
  }

  const awake = new AwakeNetworks(config, { open, clock, logger })
  const networks = createNetworks(config, { list, awake, stores, urlOf, clock, logger })
  const useNetwork = createNetworkUse({ networks, awake, logger })
  const server = createHostServer(common, { networks, awake, access, inFlight, version, onAnswered, clock, logger })

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    await networks.stop()
    await awake.stop()
    await stores.stop()
    await workers.stop()
    await server.stop()
    await list.close()
  }

  return {
    url: server.url,
    urlOf,
    async start() {
      await networks.start()
      await server.start()
    },
    async wakeAll() {
      const all = [...config.networks.keys()].slice(0, config.awakeLimit)
      await Promise.allSettled(
        all.map(async (name) => {
          const { release } = await awake.use({ name, id: name }, () => {})
          release()
        }),
      )
    },
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** As the network of this name uses it, which does not know its name. */
const accessOf = (access: Access, network: string): Access => ({
  ...access,
  identify: (request) => access.identify({ ...request, network }),
  keysFor: (request, scope) => access.keysFor(request, { network, ...scope }),
})
