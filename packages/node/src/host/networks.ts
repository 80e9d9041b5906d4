import type { Config } from '../config/config.ts'
import { trueOrFalse } from '../config/values.ts'
import type { HostedNetwork, NetworkCaller, Networks } from '../rpc/services.ts'
import { keyId } from '../server/access.ts'
import { type Clock, every } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { createId } from '../storage/createId.ts'
import type { NetworkList, NetworkRecord } from '../storage/hosted/networkList.ts'
import type { AwakeNetworks, Found } from './awakeNetworks.ts'
import type { EphemeralStores } from './ephemeralStores.ts'
import type { HostConfig, HostKey } from './hostConfig.ts'

/** A network of the configuration, or one that a call has made. */
export type KnownNetwork = Found & { record: NetworkRecord | undefined; config(): Config }

export type HostNetworks = Networks & {
  /** A network that a key may use; `undefined`: a caller whose key is checked later. */
  find(name: string, caller: NetworkCaller | undefined, isNew?: boolean): Promise<KnownNetwork | undefined>
  /** All that a caller may use, those of the configuration first. */
  known(caller: NetworkCaller): Promise<KnownNetwork[]>
  /** Throws `KEY_DISK_QUOTA_EXCEEDED` if the key that made a network has used up its disk. */
  requireRoom(network: KnownNetwork): void
  start(): Promise<void>
  stop(): Promise<void>
}

type Needs = {
  list: NetworkList
  awake: AwakeNetworks
  stores: Pick<EphemeralStores, 'size' | 'remove'>
  urlOf(name: string): string
  clock: Clock
  logger: Logger
}

/** How often the list is read, and the disk that networks take. */
const checkMs = 2_000

/** What the networks of each key take of its disk, as it was when last measured. */
class KeyDisks {
  readonly #keys: ReadonlyMap<string, Pick<HostKey, 'diskLimit'>>
  readonly #measure: (key: string) => Promise<number>
  /** In bytes, of keys that have a limit. */
  readonly #used = new Map<string, number>()

  /** `measure` adds up what the networks of a key take, in bytes. */
  constructor(keys: ReadonlyMap<string, Pick<HostKey, 'diskLimit'>>, measure: (key: string) => Promise<number>) {
    this.#keys = keys
    this.#measure = measure
  }

  /** Throws `KEY_DISK_QUOTA_EXCEEDED`. */
  requireRoom(key: string | undefined): void {
    const limit = key === undefined ? undefined : this.#keys.get(key)?.diskLimit
    const bytes = key === undefined ? 0 : (this.#used.get(key) ?? 0)
    if (limit !== undefined && bytes >= limit)
      throw new NetworkError('KEY_DISK_QUOTA_EXCEEDED', {
        used: Math.ceil(bytes / 1e6),
        limit: Math.round(limit / 1e6),
      })
  }

  async measureAll(): Promise<void> {
    for (const [key, { diskLimit }] of this.#keys) if (diskLimit !== undefined) await this.#remeasure(key)
  }

  /** A network of a key is gone. */
  async measureAgain(key: string | undefined): Promise<void> {
    if (key !== undefined && this.#used.has(key)) await this.#remeasure(key)
  }

  async #remeasure(key: string): Promise<void> {
    this.#used.set(key, await this.#measure(key))
  }
}

export function createNetworks(config: HostConfig, { list, awake, stores, urlOf, clock, logger }: Needs): HostNetworks {
  const keys = new Map(config.keys.map((key) => [keyId(key.key), key]))
  const disks = new KeyDisks(keys, measure)
  const ofConfiguration = new Map(
    [...config.networks].map(([name, chosen]): [string, KnownNetwork] => [
      name,
      { name, id: name, record: undefined, config: () => chosen },
    ]),
  )

  async function all(): Promise<KnownNetwork[]> {
    return [...ofConfiguration.values(), ...(await list.all()).map((record) => knownOf(record, config))]
  }

  async function find(
    name: string,
    caller: NetworkCaller | undefined,
    isNew?: boolean,
  ): Promise<KnownNetwork | undefined> {
    const record = ofConfiguration.has(name) ? undefined : await list.find(name, isNew)
    const found = record ? knownOf(record, config) : ofConfiguration.get(name)
    return found && (caller === undefined || mayUse(found, caller, keys)) ? found : undefined
  }

  /** Adds up what the networks of a key take. */
  async function measure(key: string): Promise<number> {
    const own = (await list.all()).filter(({ owner }) => owner === key)
    let total = 0
    for (const network of own) total += (await list.size(network)) + (await stores.size(knownOf(network, config).id))
    return total
  }

  async function check(): Promise<void> {
    await awake.closeOthers(await all())
    await disks.measureAll()
  }

  let checking: Promise<void> | undefined
  const checkNow = () => {
    checking ??= check()
      .catch((error) => logger.warn({ err: error }, 'Could not read the list of networks; it is read again'))
      .finally(() => {
        checking = undefined
      })
    return checking
  }
  let timer = { cancel() {} }

  async function remove(network: KnownNetwork & { record: NetworkRecord }): Promise<void> {
    await awake.close(network, async () => {
      await list.remove(network.record)
      await stores.remove(network.id)
    })
    await disks.measureAgain(network.record.owner)
  }

  return {
    urlOf,
    find,
    known: async (caller) => (await all()).filter((network) => mayUse(network, caller, keys)),
    requireRoom: ({ record }) => disks.requireRoom(record?.owner),
    async list(caller) {
      return (await all())
        .filter((network) => mayUse(network, caller, keys))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((network) => describe(network, awake))
    },
    async create({ name, options, like, label }, caller) {
      const { key } = caller
      if (ofConfiguration.has(name)) throw new NetworkError('HOSTED_NETWORK_EXISTS', { name })
      // A key that may not use it is told that there is none.
      const base = like === undefined ? undefined : ofConfiguration.get(like)
      if (base && !mayUse(base, caller, keys)) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name: base.name })
      config.configOf(options, like)
      disks.requireRoom(key)
      const record: NetworkRecord = { name, id: createId(), owner: key, createdAt: clock.now(), options, like, label }
      const ofOwner = key === undefined ? undefined : keys.get(key)?.networkLimit
      const problem = await list.add(record, { ofOwner, ofAll: config.networkLimit })
      if (problem === 'exists') throw new NetworkError('HOSTED_NETWORK_EXISTS', { name })
      if (problem === 'ofAll') throw new NetworkError('HOSTED_NETWORK_LIMIT_EXCEEDED', { limit: config.networkLimit })
      if (problem === 'ofOwner') throw new NetworkError('KEY_NETWORK_QUOTA_EXCEEDED', { limit: ofOwner ?? 0 })
      const network = { ...knownOf(record, config), record }
      try {
        const { release } = await awake.use(network, () => {})
        release()
      } catch (error) {
        await remove(network).catch((reason) =>
          logger.error({ err: reason, network: name }, 'Could not remove a network'),
        )
        const text = error instanceof Error ? error.message : String(error)
        throw new NetworkError('HOSTED_NETWORK_NOT_CREATED', { name, problem: text }, { cause: error })
      }
      logger.info({ network: name, key }, 'Made a network')
      return describe(network, awake)
    },
    async remove(name, caller) {
      const network = await find(name, caller, true)
      if (!network) throw new NetworkError('HOSTED_NETWORK_NOT_FOUND', { name })
      if (!network.record) throw new NetworkError('HOSTED_NETWORK_NOT_REMOVABLE', { name })
      await remove({ ...network, record: network.record })
      logger.info({ network: name, key: caller.key }, 'Removed a network')
    },
    async start() {
      // Those of an earlier process are gone.
      for (const record of await list.all())
        if (trueOrFalse.safeParse(record.options.ephemeral).data) await list.remove(record)
      await checkNow()
      timer = every(clock, checkMs, () => void checkNow())
    },
    async stop() {
      timer.cancel()
      await checking
    },
  }
}

const knownOf = (record: NetworkRecord, config: HostConfig): KnownNetwork => ({
  name: record.name,
  id: `${record.name}/${record.id}`,
  record,
  config: () => config.configOf(record.options, record.like),
})

const mayUse = ({ record }: KnownNetwork, { key }: NetworkCaller, keys: ReadonlyMap<string, HostKey>): boolean => {
  const scope = key === undefined ? 'all' : keys.get(key)?.scope
  return scope !== 'own' || (record !== undefined && record.owner === key)
}

const describe = (network: KnownNetwork, awake: AwakeNetworks): HostedNetwork => ({
  name: network.name,
  origin: network.record ? 'call' : 'configuration',
  owner: network.record?.owner,
  createdAt: network.record?.createdAt,
  ...{ like: network.record?.like, label: network.record?.label },
  ...configured(network),
  ...awake.stateOf(network),
})

/** `undefined` for options that are no longer valid, and for those that depend on the live chain. */
function configured(network: KnownNetwork): Pick<HostedNetwork, 'chainId' | 'forkBlockNumber'> {
  try {
    const { chainId, forkBlockNumber } = network.config()
    return { chainId, forkBlockNumber }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { chainId: undefined, forkBlockNumber: undefined }
  }
}
