import type { Clock } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'

/** A warning or an error of the log. Those with one message are one, with the fields of the last. */
export type Problem = {
  level: 'warn' | 'error' | 'fatal'
  message: string
  /** One `name: value` on a line, and the stack of an error. */
  fields: string
  count: number
  /** Milliseconds since 1970. */
  firstAt: number
  lastAt: number
}

export type RecentProblems = {
  /** Logs what it is given, and keeps the problems. */
  logger: Logger
  /** The newest last. */
  list(): Problem[]
}

/** How many are kept, and how many characters of each. */
const keptProblems = 20
const keptCharacters = 2000

const levels = ['warn', 'error', 'fatal'] as const

/** Keeps the last problems that a logger is given, whatever its level. */
export function watchProblems(logger: Logger, { clock }: { clock: Clock }): RecentProblems {
  const problems = new Map<string, Problem>()

  function keep(level: Problem['level'], words: readonly unknown[]): void {
    const [fields, message] = typeof words[0] === 'string' ? [{}, words[0]] : [words[0], words[1]]
    const key = `${level} ${message}`
    const now = clock.now()
    const { count, firstAt } = problems.get(key) ?? { count: 0, firstAt: now }
    // The newest are at the end.
    problems.delete(key)
    problems.set(key, {
      level,
      message: String(message).slice(0, keptCharacters),
      fields: textOf(fields),
      count: count + 1,
      firstAt,
      lastAt: now,
    })
    if (problems.size > keptProblems) for (const oldest of problems.keys()) return void problems.delete(oldest)
  }

  const watching: Logger = Object.create(logger)
  for (const level of levels)
    watching[level] = (...words: unknown[]) => {
      keep(level, words)
      logger[level](...(words as [object, string]))
    }
  return { logger: watching, list: () => [...problems.values()] }
}

function textOf(fields: unknown): string {
  if (typeof fields !== 'object' || fields === null) return ''
  return Object.entries(fields instanceof Error ? { err: fields } : fields)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n')
    .slice(0, keptCharacters)
}

function valueText(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? field.toString() : field))
  } catch {
    return 'an object that is not JSON'
  }
}
