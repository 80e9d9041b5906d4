import type { Address } from '@understudy/evm'
import type { History } from '../../chain/history/history.ts'
import { blockOfLog } from '../../ethereum/log.ts'
import { type ErrorKind, isNetworkError } from '../../shared/errors.ts'

/** Logs are searched for so many contracts in so many blocks: both are one request of the live chain where its limits allow. */
const addressLimit = 100
const rangeLimit = 50_000n
/** Answers after which blocks are taken without logs. */
const withoutLogs = [
  'TOO_MANY_LOGS',
  'LIVE_LOG_RANGE_TOO_LARGE',
  'LIMIT_EXCEEDED',
  'UPSTREAM_ERROR',
  'BLOCK_PRUNED',
] as const satisfies ErrorKind[]

type Range = { from: bigint; to: bigint }

/**
 * Takes at most `count` blocks of a range, the newest first: where there are more, first those in which contracts logged
 * something, each as far from the next as it can be, then others.
 */
export async function sampleBlocks(
  range: Range,
  count: number,
  addresses: ReadonlySet<Address>,
  history: Pick<History, 'loadLogs'>,
): Promise<bigint[]> {
  const size = range.to - range.from + 1n
  if (size <= BigInt(count))
    return descending(Array.from({ length: Number(size) }, (_, index) => range.from + BigInt(index)))
  const logged = await blocksWithLogs(range, addresses, history)
  const chosen = new Set(spread(logged, count))
  for (const number of spreadOver(range, count)) if (chosen.size < count) chosen.add(number)
  return descending([...chosen])
}

async function blocksWithLogs(
  { from, to }: Range,
  addresses: ReadonlySet<Address>,
  history: Pick<History, 'loadLogs'>,
): Promise<bigint[]> {
  if (addresses.size === 0 || addresses.size > addressLimit || to - from >= rangeLimit) return []
  try {
    const logs = await history.loadLogs({ from, to, addresses: [...addresses], topics: [] })
    const numbers = logs.map(({ origin, value }) => (origin === 'local' ? value.blockNumber : blockOfLog(value)))
    return [...new Set(numbers)].filter((number) => number !== undefined && number >= from && number <= to) as bigint[]
  } catch (error) {
    if (!withoutLogs.some((kind) => isNetworkError(error, kind))) throw error
    return []
  }
}

function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, index) => all[Math.floor(((index + 1) * all.length) / count) - 1] as T)
}

/** Ends with the last block. */
function spreadOver({ from, to }: Range, count: number): bigint[] {
  const size = to - from + 1n
  return Array.from({ length: count }, (_, index) => from + (BigInt(index + 1) * size) / BigInt(count) - 1n)
}

const descending = (numbers: bigint[]) => numbers.sort((a, b) => (a < b ? 1 : -1))
