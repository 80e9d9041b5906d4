import type { Config } from '../config/config.ts'
import { openNetwork } from '../sample/openNetwork.ts'
import type { Service } from '../shared/lifecycle.ts'
import { createLogger } from '../shared/logger.ts'
import { bannerText } from './banner.ts'
import { firstSignal, keepAlive, withinLimit } from './ending.ts'
import { exitCodes } from './exitCodes.ts'
import { catchUncaught } from './lastResort.ts'
import { problemText } from './problem.ts'
import { runCommand } from './recordedCommand.ts'

/** Runs a network until a signal ends it, or until a command is done that uses it. Returns the exit code. */
export async function startNetwork(chosen: Config, command?: readonly string[]): Promise<number> {
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
    const done = command ? runCommand(command, node.url(), signal) : signal.then(() => exitCodes.done)
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
