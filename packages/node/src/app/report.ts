import { homedir } from 'node:os'
import { arch, memoryUsage, platform, versions } from 'node:process'
import { type Config, createConfig, describeConfig, flagName } from '../config/config.ts'
import { type OptionKey, options } from '../config/options.ts'
import type { Database } from '../storage/database.ts'
import { loadDatabaseSize } from '../storage/databaseSize.ts'
import { createRedactor } from '../upstream/endpoint/secrets.ts'
import type { Problem, RecentProblems } from './recentProblems.ts'

/** What a report of a fault needs of a network, beside its state. */
export type Report = {
  process: { node: string; platform: string; memoryBytes: number }
  /** Options that are not the default, by flag. */
  options: Record<string, string>
  storage: { kind: 'sqlite' | 'postgres' | 'temporary'; bytes: number }
  problems: Problem[]
}

export type Reporter = {
  load(): Promise<Report>
  /** Removes the secrets of the configuration, and the user's folder, from every text of a value. */
  redact<Value>(value: Value): Value
}

type Needs = { database: Pick<Database, 'queries' | 'engine'>; problems: RecentProblems['list'] }

/** Reports about a network, without secrets. */
export function createReporter(config: Config, { database, problems }: Needs): Reporter {
  const hide = createConfigRedactor(config)
  return {
    load: async () => ({
      process: { node: versions.node, platform: `${platform} ${arch}`, memoryBytes: memoryUsage.rss() },
      options: chosenOptions(config),
      storage: { kind: config.ephemeral ? 'temporary' : database.engine, bytes: await loadDatabaseSize(database) },
      problems: problems(),
    }),
    redact: <Value>(value: Value) => mapTexts(value, hide) as Value,
  }
}

function chosenOptions(config: Config): Record<string, string> {
  const byDefault = describeConfig(createConfig())
  return Object.fromEntries(
    (Object.entries(describeConfig(config)) as [OptionKey, string][])
      .filter(([key, shown]) => shown !== byDefault[key])
      .map(([key, shown]) => [flagName(key), shown]),
  )
}

/** Removes from a text what the options hide, and more: all of a path that may have a key. */
function createConfigRedactor(config: Config): (text: string) => string {
  const { forkUrls, forkHeaders, explorerUrl, sourcifyUrl, blockscoutUrl, databaseUrl, nodeUrl } = config
  const explorers = [explorerUrl, sourcifyUrl, blockscoutUrl]
  const urls = [...forkUrls, ...explorers].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? new URL(url) : [],
  )
  // Their paths name a database, or nothing.
  const endpoints = [databaseUrl, nodeUrl].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? new URL(url) : [],
  )
  for (const endpoint of endpoints) Object.assign(endpoint, { pathname: '', username: '' })
  const isOwn = config.mnemonic !== options.mnemonic.default
  const others = [...config.apiKeys.map(({ key }) => key), config.explorerKey, isOwn ? config.mnemonic : undefined]
  const hide = createRedactor(
    [...urls, ...endpoints],
    forkHeaders,
    others.filter((text) => text !== undefined),
  )
  const home = homedir()
  return (text) => {
    const hidden = hide(text)
    return home.length > 1 ? hidden.replaceAll(home, '~') : hidden
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [change(name), mapTexts(field, change)]))
}
