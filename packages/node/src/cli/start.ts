import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Config } from '../config/config.ts'
import { openNetwork } from '../sample/openNetwork.ts'
import type { Service } from '../shared/lifecycle.ts'
import { createLogger } from '../shared/logger.ts'
import { bannerText } from './banner.ts'
import { catchUncaught, exitCodes, firstSignal, keepAlive, withinLimit } from './ending.ts'
import { problemText } from './problem.ts'

/** What is done with the network, at a URL, once its command has ended. The output of the command goes to standard error. */
export type AfterCommand = (network: {
  url: string
  apiKey: string | undefined
  /** Removes the secrets of its configuration from a text. */
  redact(text: string): string
}) => Promise<void>

/** Runs a network until a signal ends it, or until a command is done that uses it. Returns the exit code. */
export async function startNetwork(
  chosen: Config,
  command?: readonly string[],
  afterCommand?: AfterCommand,
): Promise<number> {
  const stopper: Service[] = []
  const stop = async () => {
    for (let service = stopper.pop(); service; service = stopper.pop()) await service.stop()
  }
  const signal = firstSignal()
  keepAlive()
  try {
    const logger = createLogger(chosen.logLevel)
    const uncaught = catchUncaught(logger)
    const { node, config, isSample } = await openNetwork(chosen, logger, stopper)
    if (!command) process.stdout.write(bannerText(node, config, { isSample }))
    const use = async (words: readonly string[]) => {
      const code = await runCommand(words, node.url(), signal, afterCommand ? 2 : 'inherit')
      const admin = config.apiKeys.find(({ role }) => role === 'admin')
      await afterCommand?.({ url: node.url(), apiKey: admin?.key, redact: node.services.reporter.redact })
      return code
    }
    const done = command ? use(command) : signal.then(() => exitCodes.done)
    const end = await Promise.race([done, node.failed, uncaught])
    if (typeof end !== 'number') throw end
    // A recording is stored at the end.
    if (config.record === undefined && !config.extend && !command) return await withinLimit(stop())
    await stop()
    return end
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`)
    // What ended it often stops it from being closed in order, too: it is said once.
    await withinLimit(stop()).catch(() => {})
    return exitCodes.failed
  }
}

/** Runs a command with the URL of a network in its environment, and returns its exit code. */
function runCommand(
  [program = '', ...args]: readonly string[],
  url: string,
  signal: Promise<void>,
  stdout: 'inherit' | 2,
): Promise<number> {
  const environment = { ...process.env, UNDERSTUDY_RPC_URL: url, ETH_RPC_URL: url }
  const child = spawn(program, args, { stdio: ['inherit', stdout, 'inherit'], env: environment })
  process.once('exit', () => child.kill())
  void signal.then(() => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, name) => resolve(code ?? 128 + (name ? constants.signals[name] : 0)))
  })
}
