import type { LogEntry } from '../ethereum/log.ts'
import type { LogQuery } from './codecs/logFilter.ts'

/** Whether a new log matches a query. Only block numbers restrict the block: new logs cannot be in other blocks. */
export function createLogMatcher({ blocks, addresses, topics }: LogQuery): (log: LogEntry) => boolean {
  const from = 'from' in blocks && typeof blocks.from === 'object' && 'number' in blocks.from ? blocks.from.number : 0n
  const to = 'to' in blocks && typeof blocks.to === 'object' && 'number' in blocks.to ? blocks.to.number : undefined
  const hash = 'hash' in blocks ? blocks.hash : undefined
  const wanted = addresses && new Set(addresses)
  const wantedTopics = topics.map((alternatives) => alternatives && new Set(alternatives))
  return (log) => {
    if (wanted && !wanted.has(log.address)) return false
    if (log.blockNumber < from || (to !== undefined && log.blockNumber > to)) return false
    if (hash !== undefined && log.blockHash !== hash) return false
    return wantedTopics.every((alternatives, index) => {
      const topic = log.topics[index]
      return topic !== undefined && (!alternatives || alternatives.has(topic))
    })
  }
}
