import { createRequire } from 'node:module'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import type { PinoPretty } from 'pino-pretty'

export type { Logger }
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const satisfies LevelWithSilent[]
export type LogLevel = (typeof logLevels)[number]

/** Logs to standard error: readable lines on a terminal, JSON otherwise. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    formatters: { log: (fields: Record<string, unknown>) => mapBigints(fields) },
  }
  if (destination) return pino(options, destination)
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }))
  // Loaded on demand, because it takes a twentieth of the start.
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  return pino(options, pretty({ destination: 2, sync: true, translateTime: 'HH:MM:ss.l', ignore: 'pid,hostname' }))
}

/** JSON has no bigints: they are written as decimal strings. */
function mapBigints(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
  )
}
