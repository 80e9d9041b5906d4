import { systemClock, within } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'

/** Exit codes of the command line. */
export const exitCodes = {
  /** Success; a network was stopped by a signal. */
  done: 0,
  /** It could not start, or it failed: upstream down, port or data directory in use… */
  failed: 1,
  /** The command line or the environment is invalid. */
  usage: 2,
  /** A second signal ended it before it had stopped. */
  killed: 130,
} as const

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

/**
 * Handles uncaught errors, which are bugs. After an unhandled promise rejection, the network continues: only the code
 * that awaited it is affected. After an uncaught exception, interrupted work may never finish, so the network stops in
 * order; everything that was answered is stored. Resolves with that exception.
 */
export function catchUncaught(logger: Logger): Promise<Error> {
  process.on('unhandledRejection', (reason) =>
    logger.error({ err: reason }, 'Continued after an unhandled promise rejection'),
  )
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      logger.error({ err: error }, 'Stopped after an uncaught exception')
      resolve(error)
    })
  })
}
