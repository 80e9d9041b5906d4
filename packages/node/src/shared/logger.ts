import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import { readableText } from './readableText.ts'

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
  const output = pino.destination({ dest: 2, sync: true })
  if (!process.stderr.isTTY) return pino(options, output)
  const colours = process.stderr.hasColors()
  return pino(options, { write: (line) => output.write(readableLog(line, colours)) })
}

/** JSON has no bigints: they are written as decimal strings. */
function mapBigints(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
  )
}

/** Names and colours of pino's levels. */
const levels = new Map([
  [10, { name: 'TRACE', colour: 90 }],
  [20, { name: 'DEBUG', colour: 34 }],
  [30, { name: 'INFO', colour: 32 }],
  [40, { name: 'WARN', colour: 33 }],
  [50, { name: 'ERROR', colour: 31 }],
  [60, { name: 'FATAL', colour: 41 }],
])
const cyan = 36
const magenta = 35
const indent = '    '

/** One line of the JSON log as lines for people: time (UTC), level and message, then a line for each field. An error is shown by its stack. */
export function readableLog(line: string, colours: boolean): string {
  const { time, level, msg, ...fields } = JSON.parse(line)
  const paint = (colour: number, text: string) => (colours ? `\u001b[${colour}m${text}\u001b[0m` : text)
  const { name, colour } = levels.get(level) ?? { name: String(level), colour: 0 }
  const head = `[${new Date(time).toISOString().slice(11, 23)}] ${paint(colour, name)}: ${paint(cyan, readableText(msg ?? ''))}`
  const lines = Object.entries(fields).map(
    ([key, value]) => `${indent}${paint(magenta, readableText(key))}: ${fieldText(value)}`,
  )
  return `${[head, ...lines].join('\n')}\n`
}

function fieldText(value: unknown): string {
  const { stack, type: _type, message: _message, ...rest } = (value ?? {}) as Record<string, unknown>
  if (typeof stack !== 'string') return textOfJson(value)
  const more = Object.entries(rest).map(([key, field]) => `${key}: ${textOfJson(field)}`)
  return readableLines([stack, ...more].join('\n'))
}

const textOfJson = (value: unknown) => readableLines(JSON.stringify(value, null, 2))
const readableLines = (text: string) => text.split('\n').map(readableText).join(`\n${indent}`)
