import type { Word } from '@understudy/evm'
import { zeroWord } from '../ethereum/constants.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Queries } from '../storage/database.ts'
import {
  findSampleBefore,
  findTrackedTransaction,
  loadSamples,
  loadTrackedTransactions,
  type Position,
  type SampleRecord,
  type TrackedTransaction,
} from '../storage/records/tracking/trackedSamples.ts'

/** A recorded value; `timestamp` in milliseconds since 1970. */
export type Entry = { value: string; blockNumber: number; timestamp: number; txHash: Word }

/** Lengths of trailing windows in milliseconds; a month is 30 days. */
export const periods = {
  '10min': 600_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
  '1m': 2_592_000_000,
} as const
export type Period = keyof typeof periods

export type HistoryOptions = {
  period?: Period
  /** Only entries at or before this block. */
  maxBlockNumber?: number
  /** Maximum number of newest entries. */
  limit?: number
}

/** Oldest first. `anchor` is the last entry before the window; times in milliseconds since 1970. */
export type History = { values: Entry[]; anchor: Entry | undefined; periodStart: number; periodEnd: number }

/** Maximum number of entries in one answer. */
const entryLimit = 500_000
const pageSize = 1_000
/** The hash of entries that no transaction caused. */
export const noTransaction: Word = zeroWord

/** Reads the recorded values of an item; `now` is the end of a trailing window. Throws `LIMIT_EXCEEDED`. */
export async function loadHistory(
  queries: Queries,
  item: number,
  { period, maxBlockNumber = Number.MAX_SAFE_INTEGER - 1, limit = Number.POSITIVE_INFINITY }: HistoryOptions,
  now: number,
): Promise<History> {
  const start = period ? now - periods[period] : undefined
  const end: Position = { block: maxBlockNumber + 1, index: 0 }
  const newestFirst: Entry[] = []
  let anchor: Entry | undefined
  for await (const entry of entriesBefore(queries, item, end)) {
    if (start !== undefined && entry.timestamp < start) {
      anchor = entry
      break
    }
    if (newestFirst.length === limit) {
      if (start !== undefined) anchor = await loadLastOlderThan(queries, item, start, end)
      break
    }
    if (newestFirst.length === entryLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: 'the item has more entries; pass a limit for the newest, or restrict them with period or maxBlockNumber',
        limit: entryLimit,
      })
    newestFirst.push(entry)
  }
  const values = newestFirst.reverse()
  return {
    values,
    anchor,
    periodStart: start ?? values[0]?.timestamp ?? now,
    periodEnd: start === undefined ? (values.at(-1)?.timestamp ?? now) : now,
  }
}

/** The newest entries of an item from a block on, at most one page. Oldest first. */
export async function loadEntriesFrom(queries: Queries, item: number, block: number): Promise<Entry[]> {
  const newestFirst: Entry[] = []
  for await (const entry of entriesBefore(queries, item, { block: Number.MAX_SAFE_INTEGER, index: 0 })) {
    if (entry.blockNumber < block || newestFirst.length === pageSize) break
    newestFirst.push(entry)
  }
  return newestFirst.reverse()
}

/** The newest entry of an item. */
export async function loadLatestEntry(queries: Queries, item: number): Promise<Entry | undefined> {
  const end = { block: Number.MAX_SAFE_INTEGER, index: 0 }
  for await (const entry of entriesBefore(queries, item, end, { pageSize: 1 })) return entry
  return undefined
}

/** The newest entry before `start`. */
async function loadLastOlderThan(queries: Queries, item: number, start: number, end: Position) {
  const row = await findSampleBefore(queries, item, start)
  if (!row) return undefined
  const first = await findTrackedTransaction(queries, start)
  const options = { pageSize: 1, transactionsBefore: first && isBefore(first, end) ? first : end }
  const after = isBefore(row, end) ? { ...row, timestamp: row.timestamp + 1 } : end
  for await (const entry of entriesBefore(queries, item, after, options)) return entry
  return undefined
}

type Range = { pageSize?: number; transactionsBefore?: Position }

/** The entries of an item before a position, newest first. */
async function* entriesBefore(
  queries: Queries,
  item: number,
  end: Position & { timestamp?: number },
  range: Range = {},
): AsyncGenerator<Entry> {
  const size = range.pageSize ?? pageSize
  const transactions = new TransactionReader(queries, size)
  let upper: Position = range.transactionsBefore ?? end
  for await (const row of rowsBefore(queries, item, end, size)) {
    if (row.kind === 'run' || row.kind === 'begin')
      for await (const transaction of transactions.between(row, upper))
        yield entryOf(transaction, row.value, transaction.hash)
    if (row.kind === 'point' || row.kind === 'begin') yield entryOf(row, row.value, noTransaction)
    if (isBefore(row, upper)) upper = row
  }
}

function entryOf({ block, timestamp }: { block: number; timestamp: number }, value: string, txHash: Word): Entry {
  return { value, blockNumber: block, timestamp, txHash }
}

async function* rowsBefore(
  queries: Queries,
  item: number,
  end: Position & { timestamp?: number },
  size: number,
): AsyncGenerator<SampleRecord> {
  let before = end
  for (;;) {
    const rows = await loadSamples(queries, item, { before, limit: size })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < size) return
    before = last
  }
}

/** Reads transactions backwards, a page at a time, for ranges that are requested newest first. */
class TransactionReader {
  readonly #queries: Queries
  readonly #size: number
  #page: TrackedTransaction[] = []
  #next = 0

  constructor(queries: Queries, size: number) {
    this.#queries = queries
    this.#size = size
  }

  /** Transactions from `first` on and before `end`, newest first. */
  async *between(first: Position, end: Position): AsyncGenerator<TrackedTransaction> {
    for (let before = end; ; ) {
      while (this.#page[this.#next] && !isBefore(this.#page[this.#next] as Position, before)) this.#next++
      const transaction = this.#page[this.#next]
      if (transaction) {
        if (isBefore(transaction, first)) return
        this.#next++
        yield transaction
        continue
      }
      const oldest = this.#page.at(-1)
      if (oldest && this.#page.length < this.#size) return
      if (oldest && isBefore(oldest, before)) before = oldest
      this.#page = await loadTrackedTransactions(this.#queries, { before, limit: this.#size })
      this.#next = 0
      if (this.#page.length === 0) return
    }
  }
}

function isBefore(a: Position, b: Position): boolean {
  return a.block < b.block || (a.block === b.block && a.index < b.index)
}
