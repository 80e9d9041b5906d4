import type { Address, Word } from '@understudy/evm'
import { blockOfLog, type LogEntry, tooManyLogs } from '../../ethereum/log.ts'
import { quantity } from '../../shared/hex.ts'
import type { Database } from '../../storage/database.ts'
import { listFromAnswer } from '../../upstream/answers.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Head } from '../block.ts'
import type { BlockFinder } from './blockFinder.ts'
import { loadStoredLogs } from './blockStore.ts'
import { type AskUpstream, type FromUpstream, fromUpstream, type Local, local } from './origins.ts'

export type LogFilter = {
  from: bigint
  to: bigint
  /** `undefined` matches every address. */
  addresses: Address[] | undefined
  /** By position; `undefined` matches any topic. */
  topics: (Word[] | undefined)[]
}

type ContentFilter = Omit<LogFilter, 'from' | 'to'>

type Needs = {
  database: Pick<Database, 'queries'>
  blocks: Pick<BlockFinder, 'isOwn' | 'requireKept' | 'findRemoved' | 'require'>
  /** The block at which the network was forked. */
  origin: { base: Base }
  upstream: AskUpstream | undefined
  head(): Head
}

/** Reads logs on both sides of the fork. */
export function createLogReads({ logRowsLimit }: { logRowsLimit: number }, needs: Needs) {
  const { database, blocks, origin, upstream, head } = needs
  const { queries } = database

  async function loadUpstreamLogs({ from, to, addresses, topics }: LogFilter): Promise<FromUpstream[]> {
    if (!upstream || blocks.isOwn(from) || from > to) return []
    const raw = await upstream('eth_getLogs', [
      {
        fromBlock: quantity(from),
        toBlock: quantity(blocks.isOwn(to) ? origin.base.number : to),
        ...(addresses && { address: addresses }),
        topics: topics.map((words) => words ?? null),
      },
    ])
    const logs = listFromAnswer('eth_getLogs', raw).map(fromUpstream)
    // The live chain was reorganised where the network left it.
    const isOfOrigin = (log: FromUpstream) => blockOfLog(log.value) === origin.base.number
    if (logs.every((log) => !isOfOrigin(log) || log.value.blockHash === origin.base.hash)) return logs
    const own = await loadHashedLogs(origin.base.hash, { addresses, topics })
    return [...logs.filter((log) => !isOfOrigin(log)), ...own]
  }

  async function loadHashedLogs(hash: Word, { addresses, topics }: ContentFilter): Promise<FromUpstream[]> {
    if (!upstream) return []
    const filter = {
      blockHash: hash,
      ...(addresses && { address: addresses }),
      topics: topics.map((words) => words ?? null),
    }
    return listFromAnswer('eth_getLogs', await upstream('eth_getLogs', [filter])).map(fromUpstream)
  }

  async function loadLogsOf(hash: Word, filter: ContentFilter): Promise<(Local<LogEntry> | FromUpstream)[]> {
    const removed = await blocks.findRemoved({ hash })
    if (removed)
      return removed.receipts
        .flatMap(({ logs }) => logs)
        .filter((log) => isMatch(log, filter))
        .map(local)
    const found = await blocks.require({ hash })
    if (found.origin === 'upstream') return loadHashedLogs(hash, filter)
    const { number } = found.block.header
    return reads.loadLogs({ from: number, to: number, ...filter })
  }

  const reads = {
    loadLogsOf,
    async loadLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]> {
      const { from, to } = filter
      if (blocks.isOwn(to)) blocks.requireKept(blocks.isOwn(from) ? from : origin.base.number + 1n)
      const shared = await loadUpstreamLogs(filter)
      const own = blocks.isOwn(to) ? await loadStoredLogs(queries, { ...filter, limit: logRowsLimit + 1 }) : []
      if (shared.length + own.length > logRowsLimit)
        throw tooManyLogs(`${logRowsLimit} results`, {
          from,
          exceedsIn: own[logRowsLimit - shared.length]?.blockNumber ?? blockOfLog(shared[logRowsLimit]?.value),
        })
      return [...shared, ...own.map(local)]
    },

    /** The logs of the blocks after `number`, oldest first; at most as many as a query may return. */
    loadLogsAfter: (number: bigint): Promise<LogEntry[]> =>
      loadStoredLogs(queries, { from: number + 1n, to: head().header.number, limit: logRowsLimit }),
  }
  return reads
}

/** Whether a log has one of the addresses, and one of the topics at each position. */
export const isMatch = ({ address, topics: given }: LogEntry, { addresses, topics }: ContentFilter) =>
  (!addresses || addresses.includes(address)) &&
  topics.every((words, index) => given[index] !== undefined && (!words || words.includes(given[index] as Word)))
