import type { Word } from '@understudy/evm'
import { decodeStoredTransaction } from '../../ethereum/decodeTransaction.ts'
import type { Transaction } from '../../ethereum/transaction.ts'
import type { Events } from '../../shared/events.ts'
import type { Database, Queries } from '../../storage/database.ts'
import { addPendingTransactions, removePendingTransactions } from '../../storage/records/chain/pendingTransactions.ts'
import { addSnapshotTransactions, loadSnapshotTransactions } from '../../storage/records/chain/snapshotTransactions.ts'
import type { ChainEvents } from '../chainEvents.ts'
import { type Pool, type PoolEntry, storedHashes } from '../pool/pool.ts'

/** The transactions that wait for a block, while the network goes back. */
export type Waiting = {
  /** Stores which transactions wait, with a snapshot. */
  save(transaction: Queries, snapshot: number): Promise<void>
  /** The transactions that waited at a snapshot, to let them wait again, and no others. */
  at(snapshot: number): Promise<{
    save(transaction: Queries): Promise<void>
    /** Call it when they are stored. */
    saved(): void
  }>
  /** Takes what waits out of the pool while a task runs; none of it gets into a block. */
  without(task: () => Promise<void>): Promise<void>
}

export type WaitingNeeds = {
  database: Pick<Database, 'queries'>
  pool: Pool
  submission: {
    /** Makes a transaction of the pool durable, or seals it. */
    store(hash: Word): void
    /** Removes transactions from the pool whose nonces are used. Call only inside `exclusive`. */
    dropUsedNow(): Promise<void>
  }
  events: Events<ChainEvents>
}

/**
 * What is not stored yet is on its way: it arrives after the network went back, whatever the pool has then, and its
 * sender gets the answer.
 */
export function createWaiting({ database, pool, submission, events }: WaitingNeeds): Waiting {
  const stored = () => [...pool.entries()].filter((entry) => entry.stored)

  /** Lets transactions wait, in this order. One on its way that has the nonce of one of them has to replace it. */
  function putBack(transactions: readonly Transaction[]): void {
    const arriving: PoolEntry[] = []
    for (const transaction of transactions) {
      const other = transaction.deposit ? undefined : pool.ofSender(transaction.from)?.get(transaction.nonce)
      if (other) {
        pool.remove(other)
        arriving.push(other)
      }
      pool.add(transaction, () => {}, { stored: true })
    }
    for (const { transaction, settle, reads, budget, isHeavy } of arriving)
      try {
        pool.add(transaction, settle, { reads, budget, isHeavy })
        submission.store(transaction.hash)
      } catch (error) {
        settle({ type: 'refused', error })
      }
  }

  return {
    save: (transaction, snapshot) => addSnapshotTransactions(transaction, snapshot, stored().map(recordOf)),
    async at(snapshot) {
      const records = await loadSnapshotTransactions(database.queries, snapshot)
      const before = stored()
      const isSame =
        records.length === before.length && records.every(({ hash }, index) => hash === before[index]?.transaction.hash)
      if (isSame) return { async save() {}, saved() {} }
      return {
        async save(transaction) {
          await removePendingTransactions(transaction, storedHashes([...pool.entries()]))
          await addPendingTransactions(transaction, records)
        },
        saved() {
          const known = new Set(before.map(({ transaction }) => transaction.hash))
          for (const entry of before) pool.remove(entry)
          const transactions = records.map(decodeStoredTransaction)
          putBack(transactions)
          for (const transaction of transactions) if (!known.has(transaction.hash)) events.emit('pending', transaction)
        },
      }
    },
    async without(task) {
      const taken = stored()
      for (const entry of taken) pool.remove(entry)
      try {
        await task()
      } finally {
        putBack(taken.map(({ transaction }) => transaction))
        await submission.dropUsedNow()
      }
    },
  }
}

const recordOf = ({ transaction: { hash, from: sender, raw } }: PoolEntry) => ({ hash, sender, raw })
