import type { Word } from '@understudy/evm'
import { mayHaveLogs } from '../../ethereum/bloom.ts'
import type { Header } from '../../ethereum/header.ts'
import { blockOfLog, isMatch, type LogEntry, type LogFilter, tooManyLogs } from '../../ethereum/log.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import type { Clock } from '../../shared/clock.ts'
import { isNetworkError } from '../../shared/errors.ts'
import { bytesFromHex } from '../../shared/hex.ts'
import type { Database } from '../../storage/database.ts'
import { listFromAnswer } from '../../upstream/answers.ts'
import type { ReadLogs } from '../../upstream/logs/logReader.ts'
import type { Base } from '../../upstream/wantedState.ts'
import type { Head } from '../block.ts'
import { type AskUpstream, type FromUpstream, fromUpstream, type Local, local } from '../origins.ts'
import { loadStoredLogs } from '../store/blockStore.ts'
import type { RecentBlocks } from '../store/recentBlocks.ts'
import type { BlockFinder } from './blockFinder.ts'

type ContentFilter = Omit<LogFilter, 'from' | 'to'>

type Needs = {
  database: Pick<Database, 'queries'>
  blocks: Pick<BlockFinder, 'isOwn' | 'requireKept' | 'findRemoved' | 'require'>
  /** The block at which the network was forked. */
  origin: { base: Base; header: Pick<Header, 'logsBloom' | 'timestamp'> }
  upstream: AskUpstream | undefined
  readLiveLogs: ReadLogs | undefined
  clock: Clock
  head(): Head
  recent: Pick<RecentBlocks, 'logs'>
}

/** How long it takes all nodes of the live chain to see a block, in milliseconds since its time. */
const settlesMs = 60_000

/** Reads logs on both sides of the fork. */
export function createLogReads({ logRowsLimit }: { logRowsLimit: number }, needs: Needs) {
  const { database, blocks, origin, upstream, readLiveLogs, clock, head, recent } = needs
  const { queries } = database

  async function loadUpstreamLogs({ from, to, ...content }: LogFilter): Promise<FromUpstream[]> {
    if (!readLiveLogs || blocks.isOwn(from) || from > to) return []
    const range = { from, to: blocks.isOwn(to) ? origin.base.number : to }
    const logs = (await readLiveLogs(range, upstreamFilter(content), logRowsLimit)).map(fromUpstream)
    const isOfOrigin = (log: FromUpstream) => blockOfLog(log.value) === origin.base.number
    const ofOrigin = logs.filter(isOfOrigin)
    // The live chain was reorganised where the network left it.
    const isOther = ofOrigin.some(({ value }) => value.blockHash !== origin.base.hash)
    if (!isOther && (range.to < origin.base.number || logs.length > logRowsLimit || !isLacking(ofOrigin, content)))
      return logs
    const own = await loadHashedLogs(origin.base.hash, content).catch((error) => {
      if (isOther || !isNetworkError(error, 'UPSTREAM_ERROR')) throw error
      return []
    })
    return [...logs.filter((log) => !isOfOrigin(log)), ...own]
  }

  /**
   * Whether logs of the origin may be missing, although its bloom has them: some nodes that have not seen a block yet
   * answer those of the blocks below it.
   */
  function isLacking(logs: readonly FromUpstream[], content: ContentFilter): boolean {
    const { logsBloom, timestamp } = origin.header
    const isNew = clock.now() < Number(timestamp) * 1000 + settlesMs
    return isNew && logs.length === 0 && mayHaveLogs(bytesFromHex(logsBloom), content)
  }

  async function loadHashedLogs(hash: Word, content: ContentFilter): Promise<FromUpstream[]> {
    if (!upstream) return []
    const answer = await upstream('eth_getLogs', [{ blockHash: hash, ...upstreamFilter(content) }])
    return listFromAnswer('eth_getLogs', answer).map(fromUpstream)
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

  async function loadOlderLogs(filter: LogFilter): Promise<(Local<LogEntry> | FromUpstream)[]> {
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
  }

  const reads = {
    loadLogsOf,
    loadLogs(filter: LogFilter): MaybePromise<(Local<LogEntry> | FromUpstream)[]> {
      return recent.logs(filter, logRowsLimit)?.map(local) ?? loadOlderLogs(filter)
    },

    /** The logs of the blocks after `number`, oldest first; at most as many as a query may return. */
    loadLogsAfter: (number: bigint): Promise<LogEntry[]> =>
      loadStoredLogs(queries, { from: number + 1n, to: head().header.number, limit: logRowsLimit }),
  }
  return reads
}

const upstreamFilter = ({ addresses, topics }: ContentFilter) => ({
  ...(addresses && { address: addresses }),
  topics: topics.map((words) => words ?? null),
})
