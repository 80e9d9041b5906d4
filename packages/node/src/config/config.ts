import { firstProblem, formatPath } from '../shared/codec.ts'
import { NetworkError } from '../shared/errors.ts'
import { nearest } from '../shared/json/nearest.ts'
import { isLoopback } from '../shared/urls.ts'
import { splitForkUrls } from './forkBlock.ts'
import { type OptionKey, options, testMnemonic } from './options.ts'
import { forkBlock } from './values.ts'

type Row<Key extends OptionKey> = (typeof options)[Key]
type ValueOf<Key extends OptionKey> = Row<Key> extends { schema: { _zod: { output: infer Value } } } ? Value : never

/** Options that the network determines itself if the user does not set them. */
type Open =
  | 'forkBlockNumber'
  | 'forkTransactionHash'
  | 'record'
  | 'from'
  | 'pollIntervalMs'
  | 'mine'
  | 'timestamp'
  | 'init'
  | 'chainId'
  | 'hardfork'
  | 'chainProfile'
  | 'explorerUrl'
  | 'explorerKey'
  | 'sourcifyUrl'
  | 'blockscoutUrl'
  | 'ipc'
  | 'rateLimit'
  | 'keyComputing'
  | 'keyValues'
  | 'auditFile'
  | 'databaseUrl'
  | 'nodeUrl'

/** All options, with defaults filled in. See `options` for their meaning. */
export type Config = { [Key in Exclude<OptionKey, Open>]: ValueOf<Key> } & { [Key in Open]: ValueOf<Key> | undefined }

const keys = Object.keys(options) as OptionKey[]
const prefix = 'UNDERSTUDY_'

/** Environment names with our prefix that belong to the commands for a running network. */
const otherVariables = ['UNDERSTUDY_RPC_URL', 'UNDERSTUDY_API_KEY']

export function environmentName(key: OptionKey): string {
  const { environment, flag } = options[key]
  return environment ?? prefix + flag.replaceAll('-', '_').toUpperCase()
}

export function flagName(key: OptionKey): string {
  const row = options[key]
  return 'negated' in row && row.negated ? `--no-${row.flag}` : `--${row.flag}`
}

/** Fills in defaults. Throws `CONFIG_INVALID`. */
export function createConfig(chosen: Partial<Record<OptionKey, unknown>> = {}): Config {
  return decode(
    new Map(Object.entries(chosen)),
    (key) => key,
    (name) => {
      throw unknown(name, keys, (key) => key)
    },
  )
}

/** Options by name, as in a file. */
export type FileOptions = { path: string; options: Readonly<Record<string, unknown>> }

/**
 * The configuration of a command line. Flags override the environment, which overrides a file, which overrides the
 * defaults. Throws `CONFIG_INVALID`.
 */
export function configFromSources(
  flags: Partial<Record<OptionKey, unknown>>,
  environment: NodeJS.ProcessEnv,
  file?: FileOptions,
): Config {
  const fromFile = file ? readFileOptions(file) : new Map<string, unknown>()
  const fromEnvironment = new Map<string, unknown>()
  const names = new Map(keys.map((key) => [environmentName(key), key]))
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || otherVariables.includes(name) || value === undefined) continue
    const key = names.get(name)
    if (!key) throw unknown(name, [...names.keys()], (known) => known)
    fromEnvironment.set(key, value)
  }
  const fromFlags = new Map(Object.entries(flags).filter(([, value]) => value !== undefined))
  return decode(
    new Map([...fromFile, ...fromEnvironment, ...fromFlags]),
    (key) => {
      if (fromFlags.has(key)) return flagName(key)
      return fromEnvironment.has(key) ? environmentName(key) : `${file?.path}: ${options[key].flag}`
    },
    (name) => {
      throw unknown(name, keys, (key) => flagName(key as OptionKey))
    },
  )
}

/** A configuration with some options changed, by their names in a file. Throws `CONFIG_INVALID`. */
export function configWith(base: Config, file: FileOptions): Config {
  return decode(
    readFileOptions(file),
    (key) => `${file.path}: ${options[key].flag}`,
    (name) => {
      throw unknown(name, keys, (key) => key)
    },
    base,
  )
}

/** Values by option: a file uses the names of flags without dashes. */
export function readFileOptions({ path, options: given }: FileOptions): Map<string, unknown> {
  const names = new Map(keys.map((key) => [options[key].flag, key]))
  return new Map(
    Object.entries(given).map(([name, value]) => {
      const key = names.get(name)
      if (!key) throw unknown(`${path}: ${name}`, [...names.keys()], (known) => known, name)
      return [key, value]
    }),
  )
}

function decode(
  chosen: Map<string, unknown>,
  nameOf: (key: OptionKey) => string,
  refuse: (name: string) => never,
  base?: Config,
): Config {
  for (const name of chosen.keys()) if (!Object.hasOwn(options, name)) refuse(name)
  const { urls, blocks } = splitForkUrls(chosen.get('forkUrls'))
  if (urls !== undefined) chosen.set('forkUrls', urls)
  if (blocks.length > 0) {
    const named = chosen.get('forkBlockNumber') ?? blocks[0]
    const other = blocks.find((block) => block !== forkBlock.safeParse(named).data)
    if (other !== undefined)
      throw new NetworkError('CONFIG_INVALID', {
        option: nameOf('forkUrls'),
        problem: `one URL names block ${other}, and ${named} is named as well. Name one block`,
      })
    chosen.set('forkBlockNumber', named)
  }
  const values = keys.map((key) => {
    const { schema, secret, default: byDefault } = options[key]
    const value = chosen.get(key)
    if (value === undefined) return [key, base ? base[key] : byDefault]
    const result = schema.safeParse(value)
    if (result.success) return [key, result.data]
    const { path, text } = firstProblem(result.error, value)
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf(key) + formatPath(path),
      problem: secret ? text.replace(/, got .*/s, '') : text,
    })
  })
  const config = Object.fromEntries(values) as Config
  if (config.forkTransactionHash !== undefined && config.forkBlockNumber !== undefined)
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf('forkTransactionHash'),
      problem: 'the transaction names its block; leave --fork-block-number and the block of the URL out',
    })
  if (config.init !== undefined && (config.forkUrls.length > 0 || config.from !== undefined))
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf('init'),
      problem: 'only a network that forks nothing begins with a genesis file; leave it, or --fork-url and --from, out',
    })
  // A data directory has a default, which such a network does not use.
  const locations = {
    dataDirectory: chosen.get('dataDirectory'),
    databaseUrl: config.databaseUrl,
    auditFile: config.auditFile,
  }
  const kept = (['dataDirectory', 'databaseUrl', 'auditFile'] as const).find((key) => locations[key] !== undefined)
  if (config.ephemeral && kept)
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf(kept),
      problem: `expected none with ${flagName('ephemeral')}, which keeps nothing. Leave one of both out`,
    })
  const recording = recordingProblem(config)
  if (recording) throw new NetworkError('CONFIG_INVALID', { option: nameOf(recording.key), problem: recording.problem })
  if (!isLoopback(config.host) && !config.insecure && config.apiKeys.length === 0)
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf('host'),
      problem: `other machines can reach ${config.host}, and no key protects the network. Pass an --api-key, listen on 127.0.0.1, or pass --insecure to allow it`,
    })
  if (isOpenToPages(config))
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf('allowedOrigins'),
      problem:
        'with * any website could sign with the accounts of your --mnemonic. Name the origins, give the network an --api-key, or leave the mnemonic out',
    })
  for (const option of ['keyComputing', 'keyValues'] as const)
    if (config[option] !== undefined && config.apiKeys.length === 0)
      throw new NetworkError('CONFIG_INVALID', {
        option: nameOf(option),
        problem: 'there are no keys to limit. Give the network an --api-key, or leave the option out',
      })
  const { key, bytes } = largestBody(config)
  if (2 * bytes > config.inFlightLimit)
    throw new NetworkError('CONFIG_INVALID', {
      option: nameOf('inFlightLimit'),
      problem: `the largest body, of ${bytes} bytes by ${flagName(key)}, would always be refused: one client may have half of the ${config.inFlightLimit} bytes. Allow at least ${2 * bytes} bytes here, or smaller bodies`,
    })
  return config
}

function recordingProblem({
  record,
  recordHeads,
  from,
  offline,
  extend,
  playHeads,
}: Config): { key: OptionKey; problem: string } | undefined {
  if (record !== undefined && from !== undefined)
    return { key: 'record', problem: 'a recording of --from is extended with --extend; leave this option out' }
  if (recordHeads && record === undefined) return { key: 'recordHeads', problem: 'name a new recording with --record' }
  if (playHeads !== undefined && !offline) return { key: 'playHeads', problem: 'pass --offline and --from, too' }
  if (from === undefined && (offline || extend))
    return { key: offline ? 'offline' : 'extend', problem: 'name a recording with --from' }
  if (from !== undefined && offline === extend)
    return { key: 'from', problem: 'pass either --offline, or --extend to ask the live chain for what is missing' }
  return undefined
}

function largestBody({ bodyLimit, importBodyLimit }: Config): { key: OptionKey; bytes: number } {
  return importBodyLimit > bodyLimit
    ? { key: 'importBodyLimit', bytes: importBodyLimit }
    : { key: 'bodyLimit', bytes: bodyLimit }
}

/** Whether any website could use accounts that may have funds on live chains. */
function isOpenToPages({ allowedOrigins, apiKeys, accounts, mnemonic }: Config): boolean {
  return allowedOrigins.includes('*') && apiKeys.length === 0 && accounts > 0 && mnemonic !== testMnemonic
}

function unknown(name: string, known: string[], show: (known: string) => string, typed = name): NetworkError {
  const near = nearest(typed, known)
  const problem = near
    ? `is not an option; did you mean ${show(near)}?`
    : `is not an option; the options are ${known.map(show).join(', ')}`
  return new NetworkError('CONFIG_INVALID', { option: name, problem })
}

/** A configuration for printing and logging: secrets are `***`. */
export function describeConfig(config: Config): Record<OptionKey, string> {
  return Object.fromEntries(
    keys.map((key) => {
      const { show, defaultText } = options[key] as { show(value: unknown): string; defaultText: string }
      return [key, config[key] === undefined ? defaultText : show(config[key])]
    }),
  ) as Record<OptionKey, string>
}

/**
 * Whether callers may name URLs that the network sends requests to: in `anvil_reset`, `anvil_setRpcUrl` and `dev_setWebhook`,
 * and in options of `dev_createNetwork` that have `namesUrls`. Such a URL can be one that only this machine reaches.
 */
export const mayNameUrls = ({ resetToUrl, insecure }: Pick<Config, 'resetToUrl' | 'insecure'>): boolean =>
  resetToUrl ?? !insecure
