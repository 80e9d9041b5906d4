import { createEvm } from '@understudy/evm'
import { createNode, type Node } from '../app/createNode.ts'
import { configFromSources } from '../config/config.ts'
import { isNetworkError, type NetworkError } from '../shared/errors.ts'
import { createLogger } from '../shared/logger.ts'
import { bannerText } from './banner.ts'
import { exitCodes } from './exitCodes.ts'
import type { Flags } from './program.ts'
import { openSampleChain } from './sampleChain.ts'

/** How long a stop may take before the process ends all the same: nothing that was answered is lost then either. */
const stopLimitMs = 1900

/** Runs a network until a signal ends it. Answers the exit code. */
export async function startNetwork(flags: Flags): Promise<number> {
  let stop = async () => {}
  // The timers of the services keep no process alive, and while it opens nothing else may.
  setInterval(() => {}, 2 ** 30)
  const signals = listenForSignals()
  try {
    const chosen = configFromSources(flags, process.env)
    const sample = chosen.forkUrls.length === 0 ? await openSampleChain(chosen) : undefined
    stop = async () => sample?.stop()
    const config = sample?.config ?? chosen
    const node = await createNode(config, { engine: createEvm(), logger: createLogger(config.logLevel) })
    stop = async () => stopBoth(node, sample)
    await node.start()
    process.stdout.write(bannerText(node, config, { isSample: sample !== undefined }))
    await signals.first
    return await withinLimit(stop())
  } catch (error) {
    process.stderr.write(`${problemText(error)}\n`)
    await withinLimit(stop())
    return isNetworkError(error, 'CONFIG_INVALID') ? exitCodes.usage : exitCodes.failed
  }
}

async function stopBoth(node: Node, sample: { stop(): Promise<void> } | undefined): Promise<void> {
  await node.stop()
  await sample?.stop()
}

/** The first signal asks for a clean stop, the second ends the process. Before the network runs, so does the first. */
function listenForSignals(): { first: Promise<void> } {
  let count = 0
  const first = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (++count > 1) process.exit(exitCodes.killed)
      resolve()
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
  return { first }
}

/** Waits for a stop, but not for ever. */
async function withinLimit(stopped: Promise<void>): Promise<number> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(exitCodes.failed), stopLimitMs)
  })
  try {
    return await Promise.race([stopped.then(() => exitCodes.done), late])
  } finally {
    clearTimeout(timer)
  }
}

function problemText(error: unknown): string {
  if (isNetworkError(error, 'CONFIG_INVALID')) return `error: ${error.message}\n(see: understudy start --help)`
  if (isNetworkError(error, 'UPSTREAM_UNAVAILABLE'))
    return `error: the live chain cannot be reached: ${(error as NetworkError<'UPSTREAM_UNAVAILABLE'>).details.problem}. Check --fork-url`
  if (isNetworkError(error)) return `error: ${error.message}`
  return `unexpected error: ${error instanceof Error ? error.stack : String(error)}`
}
