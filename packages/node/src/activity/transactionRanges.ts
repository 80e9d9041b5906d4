import type { Address } from '@understudy/evm'
import type { TransactionInBlock } from '../chain/block.ts'
import type { History } from '../chain/history/history.ts'
import type { FromUpstream, Local } from '../chain/origins.ts'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import { NetworkError } from '../shared/errors.ts'
import { createPace } from '../shared/yieldToEventLoop.ts'
import type { Database } from '../storage/database.ts'
import { loadTransactionsBetween, type TransactionPosition } from '../storage/records/chain/transactions.ts'

type BlockTag = Parameters<History['resolve']>[0]

/** The blocks from `first` to `last`, both included, and whose transactions are wanted of them. */
export type TransactionRange = {
  first: BlockTag
  last: BlockTag
  from: Address | undefined
  to: Address | undefined
}

type Found = Local<TransactionInBlock> | FromUpstream

/** Transactions by their blocks, on both sides of the fork. */
export type TransactionRanges = {
  /** Oldest first. Throws `LIMIT_EXCEEDED`, `BLOCK_NOT_FOUND`, `BLOCK_PRUNED`. */
  load(range: TransactionRange): Promise<Found[]>
}

type Needs = {
  database: Pick<Database, 'queries'>
  history: Pick<History, 'origin' | 'head' | 'resolve' | 'loadBlock' | 'loadTransaction'>
}

const transactionLimit = 1000
/** Each is a request to the live chain. */
const liveBlockLimit = 100n
/** Transactions that are looked through, and of those the ones that are read at a time. */
const scannedLimit = 10_000
const pageSize = 100
/** How long looking through them may block other requests, in milliseconds. */
const sliceMs = 10

const exceeded = (what: string, limit: bigint | number) => new NetworkError('LIMIT_EXCEEDED', { what, limit })

export function createTransactionRanges({ database: { queries }, history }: Needs): TransactionRanges {
  async function loadLive(first: bigint, last: bigint, isWanted: (from: unknown, to: unknown) => boolean) {
    const found: Found[] = []
    if (last - first >= liveBlockLimit) throw exceeded('blocks of the live chain', liveBlockLimit)
    for (let number = first; number <= last; number++) {
      const block = await history.loadBlock({ number }, 'full')
      if (block?.origin !== 'upstream') continue
      for (const transaction of block.value.transactions as Record<string, unknown>[])
        if (isWanted(transaction.from, transaction.to)) found.push({ origin: 'upstream', value: transaction })
    }
    return found
  }

  async function loadLocal(first: bigint, last: bigint, { from, to }: Pick<TransactionRange, 'from' | 'to'>) {
    const found: Found[] = []
    const pace = createPace(sliceMs)
    let after: TransactionPosition | undefined = { blockNumber: first, position: -1 }
    for (let scanned = 0; after; scanned += pageSize) {
      if (scanned === scannedLimit) throw exceeded('transactions in a range of blocks', scannedLimit)
      const records = await loadTransactionsBetween(queries, { after, last, limit: pageSize })
      for (const record of records) {
        if (from !== undefined && record.sender !== from) continue
        if (to !== undefined && decodeStoredTransaction(record).to !== to) continue
        if (found.length === transactionLimit) throw exceeded('transactions', transactionLimit)
        const transaction = await history.loadTransaction(record.hash)
        if (transaction) found.push(transaction)
      }
      after = records.length === pageSize ? records.at(-1) : undefined
      await pace()
    }
    return found
  }

  return {
    async load({ first, last, from, to }) {
      const { number: start } = await history.resolve(first)
      const { number: end } = await history.resolve(last)
      const fork = history.origin.number
      const isWanted = (sender: unknown, recipient: unknown) =>
        (from === undefined || sender === from) && (to === undefined || recipient === to)
      const live = start > fork ? [] : await loadLive(start, end < fork ? end : fork, isWanted)
      const local = end <= fork ? [] : await loadLocal(start > fork ? start : fork + 1n, end, { from, to })
      if (live.length + local.length > transactionLimit) throw exceeded('transactions', transactionLimit)
      return [...live, ...local]
    },
  }
}
