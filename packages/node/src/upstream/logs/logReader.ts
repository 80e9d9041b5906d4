import { blockOfLog, tooManyLogs } from '../../ethereum/log.ts'
import { currentBudget } from '../../shared/budget/requestBudget.ts'
import { isNetworkError, NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import { listFromAnswer } from '../answers.ts'
import type { LogSpans } from '../endpoint/logSpans.ts'
import type { Request } from '../transport/requests.ts'
import { errorKind, UpstreamRpcError } from '../transport/rpcError.ts'
import { type BlockRange, readLogRefusal } from './logRefusal.ts'

type RawLog = Record<string, unknown>

/**
 * Reads logs of upstream's blocks: in one request, or in parts where upstream takes fewer blocks or answers fewer logs at
 * a time. `filter` has addresses and topics as JSON-RPC does. Once there are more than `rows`, those of the first blocks
 * are answered, more than `rows` of them. Throws `LIVE_LOG_RANGE_TOO_LARGE`, `TOO_MANY_LOGS`, and the errors of `request`.
 */
export type ReadLogs = (range: BlockRange, filter: object, rows: number) => Promise<RawLog[]>

/** Maximum number of requests for one query that are answered. Each but the first counts as a value of the live chain. */
const partLimit = 1000n
/** The same of those that are refused, which find out how much upstream takes. */
const refusalLimit = 200n
/** Requests of one query at a time. The transport lets through as many that may be slow. */
const concurrency = 4
/** Number of whole parts before one is tried that may have more logs. */
const denseTrials = 8
/** Maximum size of the logs of one query. One answer has less. */
const byteLimit = 64 << 20

/** `spans`: those of the endpoint that is asked next. */
export function createLogReader({ request, spans }: { request: Request; spans: () => LogSpans }): ReadLogs {
  return async (range, filter, rows) => {
    const budget = currentBudget()
    const ending = new AbortController()
    const end = () => ending.abort(budget?.signal.reason)
    budget?.signal.throwIfAborted()
    budget?.signal.addEventListener('abort', end, { once: true })
    const parts = createParts(range, rows, spans)

    async function read(part: BlockRange): Promise<void> {
      const blocks = { fromBlock: quantity(part.from), toBlock: quantity(part.to) }
      try {
        const answer = await request('eth_getLogs', [{ ...blocks, ...filter }], { signal: ending.signal })
        parts.keep(part, logsFromAnswer(answer, part))
      } catch (error) {
        parts.split(part, refusalIn(error))
      }
    }

    try {
      const inFlight = new Set<Promise<void>>()
      for (;;) {
        while (inFlight.size < parts.concurrency()) {
          const part = parts.take()
          if (!part) break
          if (parts.taken() > 1n) budget?.keys.take(1)
          const reading = read(part).finally(() => inFlight.delete(reading))
          inFlight.add(reading)
          // The first failure ends the query, and the others with it.
          reading.catch(() => {})
        }
        if (inFlight.size === 0) return parts.logs()
        await Promise.race(inFlight)
      }
    } finally {
      budget?.signal.removeEventListener('abort', end)
      ending.abort()
    }
  }
}

/** The parts of one query: those that wait, in order, and what was answered. */
function createParts(range: BlockRange, rows: number, spans: () => LogSpans) {
  const answered: (BlockRange & { logs: RawLog[] })[] = []
  let waiting = [range]
  let taken = 0n
  let refused = 0n
  let count = 0
  let bytes = 0
  /** Where the logs are too many, the last block that is needed. */
  let last = range.to
  /** The most blocks whose logs are not too many to be answered. */
  let dense: bigint | undefined
  let denseWholes = 0
  /** Whether a part was answered since the last was refused. */
  let isProven = spans().isProven()

  const isShort = () => {
    const most = spans().most()
    const left = waiting.reduce((sum, { from, to }) => sum + to - from + 1n, 0n)
    return most !== undefined && most * (partLimit - taken + refused) < left
  }

  return {
    taken: () => taken,
    /** While it is not known how much upstream takes, one tries. */
    concurrency: () => (isProven && (spans().isExact() || !isShort()) ? concurrency : 1),
    /** Throws `LIVE_LOG_RANGE_TOO_LARGE` when there would be too many. */
    take(): BlockRange | undefined {
      const [first] = waiting
      if (!first) return undefined
      const most = spans().most()
      if (taken - refused >= partLimit || refused >= refusalLimit) throw tooManyParts(range, first.from - 1n)
      if (most !== undefined && spans().isExact() && isShort())
        throw tooManyParts(range, range.from + most * partLimit - 1n)
      const next = spans().next(isShort())
      const size = next === undefined || (dense !== undefined && dense < next) ? dense : next
      const to = size === undefined || first.from + size > first.to ? first.to : first.from + size - 1n
      waiting = to === first.to ? waiting.slice(1) : [{ from: to + 1n, to: first.to }, ...waiting.slice(1)]
      taken++
      return { from: first.from, to }
    },
    keep(part: BlockRange, logs: RawLog[]): void {
      if (part.from > last) return
      const blocks = part.to - part.from + 1n
      spans().taken(blocks)
      isProven = true
      if (dense !== undefined && blocks >= dense && ++denseWholes === denseTrials) {
        dense *= 2n
        denseWholes = 0
      }
      answered.push({ ...part, logs })
      count += logs.length
      bytes += leastJsonBytes(logs, byteLimit + 1)
      if (count <= rows && bytes <= byteLimit) return
      last = answered.reduce((most, { to }) => (to > most ? to : most), range.from)
      waiting = waiting.filter(({ from }) => from <= last)
    },
    split(part: BlockRange, refusal: UpstreamRpcError): void {
      refused++
      if (part.from > last) return
      const asked = part.to - part.from + 1n
      const { blocks, isNamed, isOfResults, rows: most } = readLogRefusal(refusal.message, part)
      if (asked === 1n) {
        if (!isOfResults) spans().forget()
        throw refusedAlone(part.from, refusal)
      }
      if (most !== undefined) spans().refusedRows(most)
      if (isOfResults) {
        dense = blocks
        denseWholes = 0
      } else {
        spans().refused(asked, { blocks, isNamed })
        isProven = spans().isProven()
      }
      const at = waiting.findIndex(({ from }) => from > part.from)
      waiting.splice(at < 0 ? waiting.length : at, 0, part)
    },
    logs(): RawLog[] {
      const logs = answered
        .filter(({ from }) => from <= last)
        .sort((a, b) => (a.from < b.from ? -1 : 1))
        .flatMap((part) => part.logs)
      if (count > rows || bytes <= byteLimit) return logs
      let size = 0
      const exceeding = logs.find((log) => {
        size += leastJsonBytes(log, byteLimit)
        return size > byteLimit
      })
      throw tooManyLogs(`${byteLimit} bytes`, { from: range.from, exceedsIn: blockOfLog(exceeding) })
    },
  }
}

/** Logs of the blocks that were asked for. */
function logsFromAnswer(answer: unknown, { from, to }: BlockRange): RawLog[] {
  const logs = listFromAnswer('eth_getLogs', answer)
  for (const log of logs) {
    const number = blockOfLog(log)
    if (number !== undefined && (number < from || number > to))
      throw new NetworkError('UPSTREAM_ERROR', {
        problem: `eth_getLogs: it answered a log of block ${number} when asked for blocks ${from} to ${to}`,
      })
  }
  return logs
}

/** Throws what is not a refusal of too much. */
function refusalIn(error: unknown): UpstreamRpcError {
  const cause = isNetworkError(error, 'UPSTREAM_ERROR') ? error.cause : undefined
  if (cause instanceof UpstreamRpcError && errorKind(cause) === 'too much') return cause
  throw error
}

function refusedAlone(block: bigint, cause: UpstreamRpcError): NetworkError {
  const problem = `eth_getLogs: it refuses block ${block} alone, so use an address or a topic: ${cause.message} (code ${cause.code})`
  return new NetworkError('UPSTREAM_ERROR', { problem }, { cause })
}

function tooManyParts({ from, to }: BlockRange, reached: bigint): NetworkError {
  return new NetworkError('LIVE_LOG_RANGE_TOO_LARGE', {
    blocks: to - from + 1n,
    limit: partLimit,
    from: quantity(from),
    to: quantity(reached > from ? reached : from),
  })
}
