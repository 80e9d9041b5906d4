import { z } from 'zod'
import type { LogEntry } from '../../ethereum/log.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import { memoize } from '../../shared/caches.ts'
import { Hash } from '../codecs/hex.ts'
import { LogFilter, type LogQuery } from '../codecs/logFilter.ts'
import { optional, withDefault } from '../codecs/optional.ts'
import { HeaderObject, HexWord, LogObject, ReceiptObject, TransactionObject } from '../codecs/wire.ts'
import { encodeHeader } from '../encode/block.ts'
import { encodeLog, encodeReceipt } from '../encode/receipt.ts'
import { encodeTransaction } from '../encode/transaction.ts'
import { exampleHeader, exampleLog, exampleReceipt, exampleTransaction } from '../examples.ts'
import { defineTopic } from './defineTopic.ts'

const shownHead = memoize(encodeHeader)

export const newHeads = defineTopic({
  name: 'newHeads',
  summary: 'The header of each block, when it is sealed.',
  options: optional(z.strictObject({})),
  result: HeaderObject,
  example: { result: exampleHeader },
  start: ({ chainEvents }, _options, notify) => chainEvents.on('block', ({ block }) => notify(shownHead(block))),
})

/** Whether a new log matches a query. Only block numbers restrict the block: new logs cannot be in other blocks. */
function createLogMatcher({ blocks, addresses, topics }: LogQuery): (log: LogEntry) => boolean {
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

const shownLog = memoize(encodeLog)

/** Reverting to a snapshot sends each of the reverted logs again, with `removed` set. */
export const logs = defineTopic({
  name: 'logs',
  summary:
    'Each log that matches a filter, when its block is sealed; again with `removed` set when its block is reverted.',
  options: withDefault(LogFilter, { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [] }),
  result: LogObject,
  example: { options: { address: exampleLog.address }, result: exampleLog },
  start({ history, chainEvents }, query, notify) {
    const matches = createLogMatcher(query)
    // Removes only logs that were sent.
    let since = history.head().header.number
    const stops = [
      chainEvents.on('block', ({ receipts }) => {
        for (const { logs } of receipts) for (const log of logs) if (matches(log)) notify(shownLog(log))
      }),
      chainEvents.on('logsRemoved', (logs) => {
        for (const log of logs) if (log.blockNumber > since && matches(log)) notify({ ...shownLog(log), removed: true })
      }),
      chainEvents.on('reverted', ({ header }) => {
        if (header.number < since) since = header.number
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  },
})

const shownTransaction = memoize((transaction: Transaction) =>
  encodeTransaction({ transaction, block: undefined, index: 0 }),
)

export const newPendingTransactions = defineTopic({
  name: 'newPendingTransactions',
  summary: 'Each transaction that enters the pool: its hash, or the full transaction if the option is true.',
  options: withDefault(z.boolean(), false),
  result: z.union([HexWord, TransactionObject]),
  example: { result: exampleTransaction.hash },
  start: ({ chainEvents }, isFull, notify) =>
    chainEvents.on('pending', (transaction) => notify(isFull ? shownTransaction(transaction) : transaction.hash)),
})

const shownReceipt = memoize(encodeReceipt)
/** Maximum number of hashes, as in geth. */
const hashLimit = 200

export const transactionReceipts = defineTopic({
  name: 'transactionReceipts',
  summary: 'The receipts of each block that has transactions, or of the given transactions only.',
  options: withDefault(
    z.strictObject({
      transactionHashes: optional(
        z.array(Hash).max(hashLimit, { error: `has more than ${hashLimit} transaction hashes` }),
      ),
    }),
    { transactionHashes: undefined },
  ),
  result: z.array(ReceiptObject),
  example: { options: { transactionHashes: [exampleReceipt.transactionHash] }, result: [exampleReceipt] },
  start({ chainEvents }, { transactionHashes }, notify) {
    const wanted = transactionHashes?.length ? new Set(transactionHashes) : undefined
    return chainEvents.on('block', ({ receipts }) => {
      const matching = wanted ? receipts.filter(({ transaction }) => wanted.has(transaction.hash)) : receipts
      if (matching.length > 0) notify(matching.map(shownReceipt))
    })
  },
})

/** The network never lags behind itself: it serves its state from the first request on. */
export const syncing = defineTopic({
  name: 'syncing',
  summary: 'Sends nothing, because the network never syncs. For compatibility.',
  options: optional(z.strictObject({})),
  result: z.boolean(),
  example: { result: false },
  start: () => () => {},
})
