import type { History } from '../chain/history/history.ts'
import { blockOfLog, tooManyLogs } from '../ethereum/log.ts'
import type { CallBytes } from '../shared/budget/messageBytes.ts'
import { NetworkError } from '../shared/errors.ts'
import { leastJsonBytes } from '../shared/json/leastJsonBytes.ts'
import type { BlockTag } from '../state/blockTag.ts'
import type { LogQuery } from './codecs/logFilter.ts'
import { encodeLog } from './encode/log.ts'
import { encodeEither } from './encode/origin.ts'

/** The most bytes that a log has as JSON, without its data. */
const logBytes = 800

/** The result of `eth_getLogs`. Throws `BLOCK_NOT_FOUND`, `INVALID_PARAMS`, `TOO_MANY_LOGS`. */
export async function loadLogs(
  history: Pick<History, 'resolve' | 'head' | 'loadLogs' | 'loadLogsOf'>,
  query: LogQuery,
  { left }: Pick<CallBytes, 'left'>,
) {
  const { blocks, addresses, topics } = query
  if ('hash' in blocks) {
    const logs = await history.loadLogsOf(blocks.hash, { addresses, topics })
    return logs.map((log) => encodeEither(log, encodeLog))
  }
  const range = await resolveBlocks(history, blocks)
  if (range.from > range.to) return []
  const logs = await history.loadLogs({ ...range, addresses, topics })
  const encoded = logs.map((log) => encodeEither(log, encodeLog))
  const exceeding = firstWithoutRoom(encoded, left)
  const exceedsIn = blockOfLog(encoded[exceeding])
  // In a batch, the others may have taken the room of a single block.
  if (exceedsIn !== undefined && exceedsIn > range.from && leastJsonBytes(encoded, left + 1) > left)
    throw tooManyLogs(`${left} bytes`, { from: range.from, exceedsIn })
  return encoded
}

/** The position of the first log that may have no room in an answer of so many bytes. */
function firstWithoutRoom(logs: readonly Record<string, unknown>[], bytes: number): number {
  let used = 0
  // Upstream's are not checked.
  return logs.findIndex((log) => {
    used += logBytes + String(log?.data).length
    return used > bytes
  })
}

/**
 * The block numbers of a log query. A range that starts after the head is empty, not an error, because polling clients
 * request future blocks.
 */
async function resolveBlocks(
  history: Pick<History, 'resolve' | 'head'>,
  blocks: Exclude<LogQuery['blocks'], { hash: unknown }>,
): Promise<{ from: bigint; to: bigint }> {
  const from = await numberOf(history, blocks.from)
  const to = await numberOf(history, blocks.to)
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
}

async function numberOf(history: Pick<History, 'resolve'>, tag: BlockTag): Promise<bigint> {
  return isNumber(tag) ? tag.number : (await history.resolve(tag)).number
}

function isNumber(tag: BlockTag): tag is { number: bigint } {
  return typeof tag === 'object' && 'number' in tag
}
