import type { Config } from '../config/config.ts'
import { openNetwork } from '../sample/openNetwork.ts'
import { systemClock, within } from '../shared/clock.ts'
import type { Service } from '../shared/lifecycle.ts'
import { createLogger } from '../shared/logger.ts'
import { bannerText } from './banner.ts'
import { exitCodes } from './exitCodes.ts'
import { catchUncaught } from './lastResort.ts'
import { problemText } from './problem.ts'
import { runCommand } from './recordedCommand.ts'

/** How long a stop may take before the process exits anyway. Everything that was answered is stored by then. */
const stopLimitMs = 1900

/**
 * A signal within this time counts as a repeat of the first one: npm forwards the terminal's signal, which all
 * processes also get directly.
 */
const sameSignalMs = 500

/** Runs a network until a signal ends it, or until a command is done that uses it. Returns the exit code. */
export async function startNetwork(chosen: Config, command?: readonly string[]): Promise<number> {
  const stopper: Service[] = []
  const stop = async () => {
    for (let service = stopper.pop(); service; service = stopper.pop()) await service.stop()
  }
  const signal = firstSignal()
  // The timers of services do not keep the process alive, and during opening nothing else may.
  // biome-ignore lint/style/noRestrictedGlobals: timers of the clock do not keep the process alive
  setInterval(() => {}, 2 ** 30)
  try {
    const logger = createLogger(chosen.logLevel)
    const uncaught = catchUncaught(logger)
    const { node, config, isSample } = await openNetwork(chosen, logger, stopper)
    if (!command) process.stdout.write(bannerText(node, config, { isSample }))
    const done = command ? runCommand(command, node.url(), signal) : signal.then(() => exitCodes.done)
    const end = await Promise.race([done, node.failed, uncaught])
    if (typeof end !== 'number') throw end
    // A recording is stored at the end.
    if (config.record === undefined && !config.extend && !command) return await withinLimit(stop())
    await stop()
    return end
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`)
    await withinLimit(stop())
    return exitCodes.failed
  }
}

/** The first signal requests a clean stop, the second ends the process at once. */
function firstSignal(): Promise<void> {
  let first: number | undefined
  return new Promise((resolve) => {
    const onSignal = () => {
      first ??= performance.now()
      if (performance.now() - first > sameSignalMs) process.exit(exitCodes.killed)
      resolve()
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}

/** Waits for a stop with a time limit. */
function withinLimit(stopped: Promise<void>): Promise<number> {
  return within(
    systemClock,
    stopLimitMs,
    stopped.then(() => exitCodes.done),
    () => exitCodes.failed,
  )
}
