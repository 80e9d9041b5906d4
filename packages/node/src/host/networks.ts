import type { Config } from '../config/config.ts'
import type { HostedNetwork, NetworkCaller, Networks } from '../rpc/services.ts'
import { keyId } from '../server/access.ts'
import { type Clock, every } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { createId } from '../storage/createId.ts'
import type { NetworkList, NetworkRecord } from '../storage/hosted/networkList.ts'
import type { AwakeNetworks, Found } from './awakeNetworks.ts'
import type { HostConfig } from './hostConfig.ts'

/** A network of the configuration, or one that a call has made. */
export type KnownNetwork = Found & { record: NetworkRecord | undefined; config(): Config }

export type HostNetworks = Networks & {
  /** A network that a key may use; `undefined`: a caller whose key is checked later. */
  find(name: string, caller: NetworkCaller | undefined, isNew?: boolean): Promise<KnownNetwork | undefined>
  /** Throws `KEY_DISK_SPENT` if the key that made a network has used up its disk. */
  requireRoom(network: KnownNetwork): void
  start(): Promise<void>
  stop(): Promise<void>
}

type Needs = {
  list: NetworkList
  awake: AwakeNetworks
  urlOf(name: string): string
  clock: Clock
  logger: Logger
}

/** How often the list is read, and the disk that networks take. */
const lookMs = 2_000

export function createNetworks(config: HostConfig, { list, awake, urlOf, clock, logger }: Needs): HostNetworks {
  const keys = new Map(config.keys.map((key) => [keyId(key.key), key]))
  /** Bytes of the networks of keys that have a limit. */
  const used = new Map<string, number>()
  const ofConfiguration = new Map(
    [...config.networks].map(([name, chosen]): [string, KnownNetwork] => [
      name,
      { name, id: name, record: undefined, config: () => chosen },
    ]),
  )

  const knownOf = (record: NetworkRecord): KnownNetwork => ({
    name: record.name,
    id: `${record.name}/${record.id}`,
    record,
    config: () => config.configOf(record.options),
  })

  const mayUse = ({ record }: KnownNetwork, { key }: NetworkCaller): boolean => {
    const scope = key === undefined ? 'all' : keys.get(key)?.scope
    return scope !== 'own' || (record !== undefined && record.owner === key)
  }

  async function all(): Promise<KnownNetwork[]> {
    return [...ofConfiguration.values(), ...(await list.all()).map(knownOf)]
  }

  async function find(
    name: string,
    caller: NetworkCaller | undefined,
    isNew?: boolean,
  ): Promise<KnownNetwork | undefined> {
    const record = ofConfiguration.has(name) ? undefined : await list.find(name, isNew)
    const found = record ? knownOf(record) : ofConfiguration.get(name)
    return found && (caller === undefined || mayUse(found, caller)) ? found : undefined
  }

  function requireDisk(key: string | undefined): void {
    const limit = key === undefined ? undefined : keys.get(key)?.diskLimit
    const bytes = key === undefined ? 0 : (used.get(key) ?? 0)
    if (limit !== undefined && bytes >= limit)
      throw new NetworkError('KEY_DISK_SPENT', { used: Math.ceil(bytes / 1e6), limit: Math.round(limit / 1e6) })
  }

  /** Adds up what the networks of a key take. */
  async function measure(key: string): Promise<void> {
    const own = (await list.all()).filter(({ owner }) => owner === key)
    let total = 0
    for (const network of own) total += await list.size(network)
    used.set(key, total)
  }

  async function look(): Promise<void> {
    await awake.closeOthers(await all())
    for (const [id, { diskLimit }] of keys) if (diskLimit !== undefined) await measure(id)
  }

  let looking: Promise<void> | undefined
  const lookNow = () => {
    looking ??= look()
      .catch((error) => logger.warn({ err: error }, 'Could not read the list of networks; it is read again'))
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  let timer = { cancel() {} }

  const describe = (network: KnownNetwork): HostedNetwork => ({
    name: network.name,
    origin: network.record ? 'call' : 'configuration',
    owner: network.record?.owner,
    createdAt: network.record?.createdAt,
    ...awake.stateOf(network),
  })

  async function remove(network: KnownNetwork & { record: NetworkRecord }): Promise<void> {
    await awake.close(network, () => list.remove(network.record))
    const { owner } = network.record
    if (owner !== undefined && used.has(owner)) await measure(owner)
  }

  return {
    urlOf,
    find,
    requireRoom: ({ record }) => requireDisk(record?.owner),
    async list(caller) {
      return (await all())
        .filter((network) => mayUse(network, caller))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(describe)
    },
    async create({ name, options }, { key }) {
      if (ofConfiguration.has(name)) throw new NetworkError('HOSTED_NETWORK_EXISTS', { name })
      config.configOf(options)
      requireDisk(key)
      const record: NetworkRecord = { name, id: createId(), owner: key, createdAt: clock.now(), options }
      const ofOwner = key === undefined ? undefined : keys.get(key)?.networkLimit
      const problem = await list.add(record, { ofOwner, ofAll: config.networkLimit })
      if (problem === 'exists') throw new NetworkError('HOSTED_NETWORK_EXISTS', { name })
      if (problem === 'ofAll') throw new NetworkError('HOSTED_NETWORK_LIMIT', { limit: config.networkLimit })
      if (problem === 'ofOwner') throw new NetworkError('KEY_NETWORKS_SPENT', { limit: ofOwner ?? 0 })
      const network = { ...knownOf(record), record }
      try {
        const { release } = await awake.use(network, () => {})
        release()
      } catch (error) {
        await remove(network).catch((reason) =>
          logger.error({ err: reason, network: name }, 'Could not remove a network'),
        )
        const text = error instanceof Error ? error.message : String(error)
        throw new NetworkError('HOSTED_NETWORK_NOT_MADE', { name, problem: text }, { cause: error })
      }
      logger.info({ network: name, key }, 'Made a network')
      return describe(network)
    },
    async remove(name, caller) {
      const network = await find(name, caller, true)
      if (!network) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name })
      if (!network.record) throw new NetworkError('HOSTED_NETWORK_NOT_REMOVABLE', { name })
      await remove({ ...network, record: network.record })
      logger.info({ network: name, key: caller.key }, 'Removed a network')
    },
    async start() {
      await lookNow()
      timer = every(clock, lookMs, () => void lookNow())
    },
    async stop() {
      timer.cancel()
      await looking
    },
  }
}
