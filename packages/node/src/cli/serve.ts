import { version } from '../app/version.ts'
import { createHost, type Host } from '../host/createHost.ts'
import { type HostConfig, readHostConfig } from '../host/hostConfig.ts'
import { createLogger } from '../shared/logger.ts'
import { loadConfigFile } from './configFile.ts'
import { catchUncaught, exitCodes, firstSignal, keepAlive, withinLimit } from './ending.ts'
import { problemText } from './problem.ts'

/** Each network closes its store: many take longer than one. */
const stopLimitMs = 8_000

/** Serves the networks of a file until a signal ends it. Returns the exit code. Throws `CONFIG_INVALID`. */
export async function serve(path: string): Promise<number> {
  const file = loadConfigFile(path)
  const config = readHostConfig(file ?? { path, options: {} }, process.env)
  const signal = firstSignal()
  keepAlive()
  let host: Host | undefined
  try {
    const logger = createLogger(config.common.logLevel)
    const uncaught = catchUncaught(logger)
    host = await createHost(config, { logger })
    await host.start()
    process.stdout.write(bannerText(host, config))
    const ready = host.wakeAll().then(() => logger.info('Opened the networks of the configuration'))
    ready.catch(() => {})
    const end = await Promise.race([signal, uncaught])
    if (end instanceof Error) throw end
    return await withinLimit(host.stop(), stopLimitMs)
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`)
    // What ended it often stops it from being closed in order, too: it is said once.
    await withinLimit(host?.stop() ?? Promise.resolve(), stopLimitMs).catch(() => {})
    return exitCodes.failed
  }
}

/** The summary that a user sees when the server has started. */
function bannerText(host: Host, { networks, keys, common, sleepAfterMs }: HostConfig): string {
  const names = [...networks.keys()]
  const width = Math.max(0, ...names.map((name) => name.length))
  const listed = [...networks].map(
    ([name, { ephemeral }]) =>
      `  ${name.padEnd(width)}  ${host.urlOf(name)}${ephemeral ? ' (ephemeral: gone when this process ends)' : ''}`,
  )
  return [
    `Understudy ${version}: ${names.length} networks of the configuration, each with its JSON-RPC and dashboard at`,
    '',
    ...(names.length === 0 ? ['  none yet: make one with POST /networks'] : listed),
    '',
    `  List       ${host.url()}/networks`,
    `  Data       ${common.databaseUrl === undefined ? common.dataDirectory : `PostgreSQL, schemas ${common.network}_NAME`}`,
    `  API keys   ${keys.length === 0 ? 'none: anyone who can reach the server makes and removes networks' : keys.length}`,
    `  Sleep      ${sleepAfterMs === undefined ? 'never' : `after ${sleepAfterMs / 1000} quiet seconds; the next request wakes a network`}`,
    '',
    `Listening on ${host.url()}`,
    '',
  ].join('\n')
}
