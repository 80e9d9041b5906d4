import type { Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Database } from '../storage/database.ts'
import {
  countOtherNotes,
  loadTransactionNotes,
  removeTransactionNote,
  saveTransactionNote,
  type TransactionNote,
} from '../storage/records/chain/transactionNotes.ts'

/** Transactions that have a note, at most. With the length of a note, it bounds the answer that lists all. */
export const noteLimit = 1000

/** Notes on transactions, which all users of the network share. Each change is durable when it resolves. */
export type TransactionNotes = {
  /** Last changed first. */
  list(): Promise<TransactionNote[]>
  /**
   * Replaces the note of a transaction in a block, also of the live chain; an empty text removes it. The note is deleted with its
   * block. Throws `TRANSACTION_NOT_FOUND` and `LIMIT_EXCEEDED`.
   */
  set(hash: Word, text: string): Promise<void>
}

type Needs = { database: Database; history: Pick<History, 'loadTransaction'>; clock: Clock }

export function createTransactionNotes({ database, history, clock }: Needs): TransactionNotes {
  /** Its block on this network; `undefined` if it is on the live chain. */
  async function requireBlock(hash: Word): Promise<bigint | undefined> {
    const found = await history.loadTransaction(hash)
    if (found?.origin === 'upstream') return undefined
    if (!found?.value.block) throw new NetworkError('TRANSACTION_NOT_FOUND', { hash })
    return found.value.block.number
  }

  return {
    list: () => loadTransactionNotes(database.queries),
    async set(hash, text) {
      if (text === '') return database.transaction((transaction) => removeTransactionNote(transaction, hash))
      const note = { hash, blockNumber: await requireBlock(hash), text, updatedAt: clock.now() }
      await database.transaction(async (transaction) => {
        if ((await countOtherNotes(transaction, hash)) >= noteLimit)
          throw new NetworkError('LIMIT_EXCEEDED', {
            what: 'notes on transactions. Remove some first',
            limit: noteLimit,
          })
        await saveTransactionNote(transaction, note)
      })
    },
  }
}
