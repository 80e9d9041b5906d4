import { systemClock, within } from '../shared/clock.ts'
import { exitCodes } from './exitCodes.ts'

/** How long a stop may take before the process exits anyway. Everything that was answered is stored by then. */
const stopLimitMs = 1900

/**
 * A signal within this time counts as a repeat of the first one: npm forwards the terminal's signal, which all
 * processes also get directly.
 */
const sameSignalMs = 500

/** The timers of services do not keep the process alive, and during opening nothing else may. */
export function keepAlive(): void {
  // biome-ignore lint/style/noRestrictedGlobals: timers of the clock do not keep the process alive
  setInterval(() => {}, 2 ** 30)
}

/** The first signal requests a clean stop, the second ends the process at once. */
export function firstSignal(): Promise<void> {
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
export function withinLimit(stopped: Promise<void>, limitMs = stopLimitMs): Promise<number> {
  return within(
    systemClock,
    limitMs,
    stopped.then(() => exitCodes.done),
    () => exitCodes.failed,
  )
}
