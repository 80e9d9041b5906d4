import type { Address, Word } from '@understudy/evm'
import { decodeStoredTransaction } from '../ethereum/transaction.ts'
import type { Database } from '../storage/database.ts'
import { loadAppearances, loadSentTransaction, type SearchStart } from '../storage/records/activity/appearances.ts'
import { loadCreations } from '../storage/records/activity/calls.ts'
import { loadTransactionAt, type TransactionRecord } from '../storage/records/chain/transactions.ts'

/** Finds this network's own transactions by what addresses did in them. */
export type ActivitySearch = {
  /**
   * The transactions in which an address called or was called, nearest to the start first. At least `size` when there are as
   * many, and all of the last block. `more`: there are others further on.
   */
  appearances(address: Address, start: SearchStart, size: number): Promise<{ hashes: Word[]; more: boolean }>
  /** The transaction that created a contract, and what created it in it; `undefined` when none did. */
  loadCreator(address: Address): Promise<{ hash: Word; creator: Address } | undefined>
  /** The transaction of a sender with this nonce. `isEarlier` when the nonce is from before its first one here. */
  loadSent(sender: Address, nonce: bigint): Promise<{ hash: Word | undefined; isEarlier: boolean }>
}

/** As many transactions as one block may add to a page that ends in it. */
const blockSlack = 500

export function createActivitySearch({ queries }: Pick<Database, 'queries'>): ActivitySearch {
  return {
    async appearances(address, start, size) {
      const records = await loadAppearances(queries, address, start, size + blockSlack)
      const last = records[size - 1]?.blockNumber
      const page = last === undefined ? records : records.filter((record, i) => i < size || record.blockNumber === last)
      return { hashes: page.map(({ hash }) => hash), more: page.length < records.length }
    },

    async loadCreator(address) {
      const creation = (await loadCreations(queries, address)).at(-1)
      if (!creation) return undefined
      const { blockNumber, transactionPosition, creator } = creation
      const transaction = await loadTransactionAt(queries, blockNumber, transactionPosition)
      return transaction && { hash: transaction.hash, creator }
    },

    async loadSent(sender, nonce) {
      const nonceOf = ({ raw }: TransactionRecord) => decodeStoredTransaction(raw, sender).nonce
      const first = await loadSentTransaction(queries, sender, 0)
      if (!first || nonceOf(first) > nonce) return { hash: undefined, isEarlier: true }
      const found = await loadSentTransaction(queries, sender, Number(nonce - nonceOf(first)))
      return { hash: found && nonceOf(found) === nonce ? found.hash : undefined, isEarlier: false }
    },
  }
}
