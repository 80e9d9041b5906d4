import { z } from 'zod'
import { type Config, configFromSources, configWith, mayNameUrls, readFileOptions } from '../config/config.ts'
import { type OptionKey, options } from '../config/options.ts'
import { apiKeys } from '../config/values.ts'
import { HostedNetworkName } from '../rpc/codecs/names.ts'
import type { KeyWithLimits } from '../server/access.ts'
import { firstProblem, formatPath } from '../shared/codec.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { roles } from '../shared/role.ts'

/** An API key of a process that serves several networks. */
export type HostKey = KeyWithLimits & {
  /** Whether it may use all networks, or those that it has made. */
  scope: 'all' | 'own'
  /** How many networks it may have made; `undefined`: any number. */
  networkLimit: number | undefined
  /** Bytes that its networks may take together; `undefined`: any number. */
  diskLimit: number | undefined
}

/** What a process serves that serves several networks. */
export type HostConfig = {
  /** Options of the server, and of every network. */
  common: Config
  networks: ReadonlyMap<string, Config>
  keys: readonly HostKey[]
  /** How long no client uses a network before it is put to sleep, in milliseconds; `undefined`: never. */
  sleepAfterMs: number | undefined
  /** How many networks are awake at most. */
  awakeLimit: number
  /** How many networks calls may make. */
  networkLimit: number
  /** The configuration of a network that a call makes, as another one of the configuration or as all. Throws `INVALID_PARAMS`. */
  configOf(given: Record<string, unknown>, like?: string): Config
}

const keys = Object.keys(options) as OptionKey[]

/** Options of the process. */
const ofServer: ReadonlySet<OptionKey> = new Set<OptionKey>([
  'host',
  'port',
  'publicUrl',
  'ipc',
  'allowedHosts',
  'allowedOrigins',
  'apiKeys',
  'insecure',
  'dataDirectory',
  'databaseUrl',
  'network',
  'nodeUrl',
  'logLevel',
  'rateLimit',
  'keyComputing',
  'keyValues',
  'requestTimeout',
  'connectionLimit',
  'inFlightLimit',
])

const ofRecordings: readonly OptionKey[] = ['record', 'recordHeads', 'from', 'offline', 'extend', 'playHeads']

/** Options with which two networks would write to one file, or read one, and what the server itself cannot be. */
const ofOneNetwork: readonly OptionKey[] = ['auditFile', 'ephemeral', ...ofRecordings]

/** Options that only the owner of the machine sets: files, and what a network costs it. */
const ofConfiguration: ReadonlySet<OptionKey> = new Set<OptionKey>([
  ...ofRecordings,
  'chainProfile',
  'init',
  'resetToUrl',
  'proxyUnknown',
  'pollIntervalMs',
  'upstreamTimeoutMs',
  'upstreamBatchSize',
  'upstreamRate',
  'upstreamHedge',
  'upstreamCacheMegabytes',
])
const groupsOfCalls: readonly string[] = ['Fork', 'Chain', 'Accounts', 'Explorers']
const isOfCalls = (key: OptionKey) =>
  key === 'ephemeral' || (groupsOfCalls.includes(options[key].group) && !ofConfiguration.has(key))

const number = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error })
}

const Options = z.record(z.string(), z.unknown())
const Key = z.strictObject({
  key: z.string().refine((key) => apiKeys.safeParse([`${key}:read`]).success, {
    error: 'expected 16 to 200 letters, digits or any of ._~-',
  }),
  role: z.enum(roles, { error: `expected one of ${roles.join(', ')}` }),
  scope: z.enum(['all', 'own'], { error: 'expected all or own' }).default('all'),
  'network-limit': number(0, 100_000).optional(),
  'disk-limit': number(1, 10_000_000).optional(),
  'rate-limit': number(1, 1_000_000).optional(),
  'key-computing': number(1, 3_600).optional(),
})
const File = z.strictObject({
  options: Options.default({}),
  networks: z.record(HostedNetworkName, Options).default({}),
  keys: z.array(Key).max(10_000, { error: 'expected at most 10000 keys' }).default([]),
  'sleep-after': z
    .union([number(1, 2_592_000), z.literal('off')], {
      error: 'expected a number of seconds from 1 to 2592000, or "off"',
    })
    .default(600),
  'awake-limit': number(1, 10_000).default(100),
  'network-limit': number(0, 100_000).default(1000),
})

/** The longest name of a deployment in PostgreSQL: schemas begin with it. */
const deploymentLimit = 10

/** Reads the file of `understudy serve`. `path` names it in errors. Throws `CONFIG_INVALID`. */
export function readHostConfig(
  { path, options: given }: { path: string; options: unknown },
  environment: NodeJS.ProcessEnv = {},
): HostConfig {
  const decoded = File.safeParse(given)
  if (!decoded.success) {
    const { path: field, text } = firstProblem(decoded.error, given)
    throw refuse(field.length === 0 ? path : `${path}: ${formatPath(field).slice(1)}`, text)
  }
  const file = decoded.data
  const repeated = file.keys.findIndex(({ key }, index) =>
    file.keys.some((other, at) => at < index && other.key === key),
  )
  if (repeated >= 0) throw refuse(`${path}: keys[${repeated}].key`, 'the same key is there twice; remove one')
  const listed = file.keys.map(({ key, role }) => `${key}:${role}`)
  const ownKeys = file.options['api-key']
  const keysOfOptions = ownKeys === undefined ? [] : typeof ownKeys === 'string' ? ownKeys.split(',') : ownKeys
  const allKeys = Array.isArray(keysOfOptions) ? [...keysOfOptions, ...listed] : keysOfOptions
  const optionsPath = `${path}: options`
  const withKeys = listed.length > 0 ? { ...file.options, 'api-key': allKeys } : file.options
  const set = configFromSources({}, environment, { path: optionsPath, options: withKeys })
  for (const key of ofOneNetwork)
    if (set[key] !== undefined && set[key] !== false)
      throw refuse(`${optionsPath}: ${options[key].flag}`, 'is of one network; set it under "networks"')
  if (set.ipc !== undefined)
    throw refuse(`${optionsPath}: ipc`, 'is of `understudy start`: networks of a server are told apart by their URLs')
  if (set.databaseUrl !== undefined && set.network.length > deploymentLimit)
    throw refuse(
      `${optionsPath}: network`,
      `expected at most ${deploymentLimit} characters: the names of schemas begin with it`,
    )
  const common: Config = { ...set, workers: set.workers ?? 0 }
  const own = new Map(file.keys.map((key) => [key.key, key]))
  const configAt = (location: string, chosen: Record<string, unknown>): Config => {
    for (const key of readFileOptions({ path: location, options: chosen }).keys())
      if (ofServer.has(key as OptionKey))
        throw refuse(`${location}: ${options[key as OptionKey].flag}`, 'is of the server; set it under "options"')
    return configWith(withoutSecrets(common, chosen), { path: location, options: chosen })
  }
  const networks = new Map(
    Object.entries(file.networks).map(([name, chosen]) => [name, configAt(`${path}: networks.${name}`, chosen)]),
  )
  return {
    ...{ common, networks },
    keys: common.apiKeys.map(({ key, role }) => {
      const limits = own.get(key)
      const megabytes = limits?.['disk-limit']
      return {
        ...{ key, role, scope: limits?.scope ?? 'all', networkLimit: limits?.['network-limit'] },
        diskLimit: megabytes === undefined ? undefined : megabytes * 1_000_000,
        ...(limits?.['rate-limit'] !== undefined && { rateLimit: limits['rate-limit'] }),
        ...(limits?.['key-computing'] !== undefined && { keyComputing: limits['key-computing'] }),
      }
    }),
    sleepAfterMs: file['sleep-after'] === 'off' ? undefined : file['sleep-after'] * 1000,
    awakeLimit: file['awake-limit'],
    networkLimit: file['network-limit'],
    configOf(chosen, like) {
      const base = like === undefined ? common : networks.get(like)
      if (base) return configOfCall({ ...base, ...optionsOfOne(common) }, chosen)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'params[0].like',
        problem: `there is no network ${like} in the configuration`,
      })
    },
  }
}

/** What a network does not have of the one that it is like. */
const optionsOfOne = (common: Config): Partial<Config> =>
  Object.fromEntries(ofOneNetwork.map((key) => [key, common[key]]))

function configOfCall(common: Config, given: Record<string, unknown>): Config {
  const allowed = new Map(keys.filter(isOfCalls).map((key) => [options[key].flag, key]))
  for (const name of Object.keys(given))
    if (!allowed.has(name))
      throw new NetworkError('INVALID_PARAMS', {
        field: `params[0].options.${name.slice(0, 40)}`,
        problem: `is not an option of networks that calls make; these are ${[...allowed.keys()].join(', ')}`,
      })
  const refuse = (flag: string, problem: string) =>
    new NetworkError('INVALID_PARAMS', { field: `params[0].options.${flag}`, problem })
  for (const { flag, namesUrls } of Object.values(options) as { flag: string; namesUrls?: true }[])
    if (namesUrls && given[flag] !== undefined && !mayNameUrls(common))
      throw refuse(flag, 'this server asks no URLs of callers (reset-to-url); leave it out')
  if (given['fork-header'] !== undefined && given['fork-url'] === undefined)
    throw refuse('fork-header', 'goes with a fork-url of your own; name that, too')
  try {
    const config = configWith(withoutSecrets(common, given), { path: 'params[0].options', options: given })
    if (given['fork-url'] !== undefined && config.forkUrls.some((url) => url.startsWith('ipc:')))
      throw new NetworkError('INVALID_PARAMS', {
        field: 'params[0].options.fork-url',
        problem: 'calls name no local sockets; the configuration file does',
      })
    return config
  } catch (error) {
    if (!isNetworkError(error, 'CONFIG_INVALID')) throw error
    const { option, problem } = error.details as { option: string; problem: string }
    throw new NetworkError('INVALID_PARAMS', { field: option.replace(': ', '.'), problem }, { cause: error })
  }
}

/** What authenticates the process at one live chain or explorer is not sent to another one. */
function withoutSecrets(common: Config, chosen: Record<string, unknown>): Config {
  const { forkHeaders, explorerKey } = common
  return {
    ...common,
    forkHeaders: chosen['fork-url'] === undefined ? forkHeaders : (options.forkHeaders.default ?? {}),
    explorerKey: chosen['explorer-url'] === undefined ? explorerKey : undefined,
  }
}

const refuse = (option: string, problem: string) => new NetworkError('CONFIG_INVALID', { option, problem })
