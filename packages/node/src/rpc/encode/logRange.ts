import type { History } from '../../chain/history/history.ts'
import type { FromUpstream, Local } from '../../chain/origins.ts'
import { blockOfLog, type LogEntry, tooManyLogs } from '../../ethereum/log.ts'
import { chain, type MaybePromise } from '../../shared/async/maybePromise.ts'
import type { CallBytes } from '../../shared/budget/messageBytes.ts'
import { NetworkError } from '../../shared/errors.ts'
import { type LongText, listText } from '../../shared/json/jsonText.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import type { LogQuery } from '../codecs/logFilter.ts'
import { logText } from './once.ts'
import { encodeLog } from './receipt.ts'
import { encodeEither } from './result.ts'

/** The most bytes that a log has as JSON, without its data. */
const logBytes = 800

type Logs = readonly (Local<LogEntry> | FromUpstream)[]

/** The result of `eth_getLogs`. Throws `BLOCK_NOT_FOUND`, `INVALID_PARAMS`, `TOO_MANY_LOGS`. */
export function loadLogs(
  history: Pick<History, 'resolve' | 'head' | 'loadLogs' | 'loadLogsOf'>,
  query: LogQuery,
  bytes: Pick<CallBytes, 'left' | 'expect'>,
): MaybePromise<LongText> {
  const { blocks, addresses, topics } = query
  if ('hash' in blocks)
    return chain(history.loadLogsOf(blocks.hash, { addresses, topics }), (logs) => textOf(logs, bytes))
  return chain(resolveBlocks(history, blocks), (range) => {
    if (range.from > range.to) return textOf([], bytes)
    return chain(history.loadLogs({ ...range, addresses, topics }), (logs) => textOf(logs, bytes, range.from))
  })
}

/** `from`: the first block of the range that was asked for, if it may be made smaller. */
function textOf(logs: Logs, bytes: Pick<CallBytes, 'left' | 'expect'>, from?: bigint): LongText {
  const { left } = bytes
  const exceeding = firstWithoutRoom(logs, left)
  if (exceeding) {
    const least = leastJsonBytes(
      logs.map((log) => encodeEither(log, encodeLog)),
      left + 1,
    )
    const exceedsIn = exceeding.origin === 'local' ? exceeding.value.blockNumber : blockOfLog(exceeding.value)
    // In a batch, the others may have taken the room of a single block.
    if (least > left && from !== undefined && exceedsIn !== undefined && exceedsIn > from)
      throw tooManyLogs(`${left} bytes`, { from, exceedsIn })
    bytes.expect(least)
  }
  return listText(logs, (log) => (log.origin === 'local' ? logText(log.value) : JSON.stringify(log.value)))
}

/** The first log that may have no room in an answer of so many bytes. */
function firstWithoutRoom(logs: Logs, bytes: number): Logs[number] | undefined {
  let used = 0
  return logs.find(({ value }) => {
    // Upstream's are not checked.
    used += logBytes + String(value?.data).length
    return used > bytes
  })
}

/**
 * The block numbers of a log query. A range that starts after the head is empty, not an error, because polling clients
 * request future blocks.
 */
function resolveBlocks(
  history: Pick<History, 'resolve' | 'head'>,
  blocks: Exclude<LogQuery['blocks'], { hash: unknown }>,
): MaybePromise<{ from: bigint; to: bigint }> {
  return chain(numberOf(history, blocks.from), (from) =>
    chain(numberOf(history, blocks.to), (to) => {
      if (from > to && isNumber(blocks.from) && isNumber(blocks.to))
        throw new NetworkError('INVALID_PARAMS', {
          field: 'params[0].fromBlock',
          problem: `is block ${from}, after toBlock, which is ${to}`,
        })
      const head = history.head().header.number
      if (isNumber(blocks.to) && to > head)
        throw new NetworkError('INVALID_PARAMS', {
          field: 'params[0].toBlock',
          problem: `is block ${to}, after the head, which is ${head}: the block range extends beyond the head`,
        })
      return { from, to: to < head ? to : head }
    }),
  )
}

function numberOf(history: Pick<History, 'resolve'>, tag: BlockTag): MaybePromise<bigint> {
  return isNumber(tag) ? tag.number : chain(history.resolve(tag), ({ number }) => number)
}

function isNumber(tag: BlockTag): tag is { number: bigint } {
  return typeof tag === 'object' && 'number' in tag
}
