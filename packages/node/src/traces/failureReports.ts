import { FailedRunError } from '../execution/revert.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { readableText } from '../shared/readableText.ts'
import type { StackEntry, StackTraces } from './stackTraces.ts'

/** Maximum number of entries in an error: the innermost. */
const shownEntries = 50
/** Maximum number of traces in a second that are made for the log. It is logged when others are left out. */
const tracesPerSecond = 10
/** Maximum computing time of a trace, in milliseconds: in an error, and for the log. */
const limitMs = { error: 5000, log: 250 }
const textLimit = 300

type Network = { stackTraces: Pick<StackTraces, 'ofFailure'> }

/**
 * Says in which lines runs failed: in the errors of our own methods and, because the errors of Ethereum's methods have no
 * entry for it, in the log of those. What it costs is part of the request that failed.
 */
export type FailureReports = {
  /** The error to answer with instead of one that a method threw. */
  explain(services: Network, method: { name: string }, error: unknown): Promise<unknown>
}

type Needs = {
  /** Whether a method is one of Ethereum's, whose errors have no entry for lines. */
  isOfEveryNode(method: string): boolean
  /** An entry as it is answered. */
  encode(entry: StackEntry): object
  clock: Clock
  logger: Logger
}

export function createFailureReports({ isOfEveryNode, encode, clock, logger }: Needs): FailureReports {
  let traces = 0
  let isCounting = false

  /** No trace is better than another error. */
  async function traceOf(
    services: Network,
    error: FailedRunError,
    limits: { ms: number; hasLines: boolean },
  ): Promise<StackEntry[]> {
    try {
      return await services.stackTraces.ofFailure(error, limits)
    } catch (cause) {
      logger.debug({ err: cause }, 'Could not trace a failed run')
      return []
    }
  }

  async function log(services: Network, method: string, error: FailedRunError): Promise<void> {
    if (!logger.isLevelEnabled('info')) return
    if (!isCounting) clock.after(1000, endSecond)
    isCounting = true
    if (++traces > tracesPerSecond) return
    const entries = await traceOf(services, error, { ms: limitMs.log, hasLines: true })
    const entry = entries.find(({ line }) => line !== undefined)
    if (!entry) {
      traces--
      return
    }
    const at = `${entry.file}:${entry.line}`
    const [reason, where, name] = [entries[0]?.message, at, entry.function].map((text) => text && shown(text))
    logger.info({ method, reason, at: where, function: name }, 'Failed in an imported contract')
  }

  function endSecond(): void {
    if (traces > tracesPerSecond) logger.info({ limit: tracesPerSecond }, 'Left out locations of failed calls')
    traces = 0
    isCounting = false
  }

  return {
    async explain(services, { name }, error) {
      if (!(error instanceof FailedRunError)) return error
      if (isOfEveryNode(name)) {
        await log(services, name, error)
        return error
      }
      const entries = await traceOf(services, error, { ms: limitMs.error, hasLines: false })
      if (entries.length === 0) return error
      const { kind, details, data } = error
      const stackTrace = entries.slice(0, shownEntries).map(encode)
      return new NetworkError(kind, { ...details, stackTrace }, { cause: error, data })
    },
  }
}

const shown = (text: string) => readableText(text.length > textLimit ? `${text.slice(0, textLimit)}…` : text)
