import type { Address, Hex, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'

/** A log of a sealed block. */
export type LogEntry = {
  address: Address
  topics: Word[]
  data: Hex
  blockNumber: bigint
  blockHash: Word
  blockTimestamp: bigint
  /** Where the blocks of the chain have it; see `Header`. */
  blockTimestampMs?: bigint | undefined
  transactionHash: Word
  transactionIndex: number
  /** Unique in its block. */
  logIndex: number
}

/** The block of a log in JSON-RPC's format; `undefined` if it does not say it. */
export function blockOfLog(log: Record<string, unknown> | null | undefined): bigint | undefined {
  const number = log?.blockNumber
  return typeof number === 'string' && /^0x[\da-f]{1,16}$/i.test(number) ? BigInt(number) : undefined
}

/** An error that names the blocks up to the one in which a query `exceedsIn` its limit: those together are within it. */
export function tooManyLogs(
  limit: string,
  { from, exceedsIn }: { from: bigint; exceedsIn: bigint | undefined },
): NetworkError {
  const advice =
    exceedsIn !== undefined && exceedsIn > from
      ? `Try with this block range [${quantity(from)}, ${quantity(exceedsIn - 1n)}].`
      : `Block ${quantity(from)} alone has more: use an address or a topic, or raise --log-rows-limit`
  return new NetworkError('TOO_MANY_LOGS', { limit, advice })
}

export type LogFilter = {
  from: bigint
  to: bigint
  /** `undefined` matches every address. */
  addresses: Address[] | undefined
  /** By position; `undefined` matches any topic. */
  topics: (Word[] | undefined)[]
}

/** Whether a log has one of the addresses, and one of the topics at each position. */
export const isMatch = ({ address, topics: given }: LogEntry, { addresses, topics }: Omit<LogFilter, 'from' | 'to'>) =>
  (!addresses || addresses.includes(address)) &&
  topics.every((words, index) => given[index] !== undefined && (!words || words.includes(given[index] as Word)))
