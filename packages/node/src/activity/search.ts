import type { Address, Word } from '@understudy/evm'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import type { Database } from '../storage/database.ts'
import { loadAppearances, loadSentTransaction, type SearchStart } from '../storage/records/activity/appearances.ts'
import { loadCreations } from '../storage/records/activity/calls.ts'
import { loadTransactionAt, type TransactionRecord } from '../storage/records/chain/transactions.ts'

/** Finds local transactions by the activity of addresses. */
export type ActivitySearch = {
  /**
   * The transactions in which an address made or received a call, nearest to the start first. At least `size` if there
   * are as many, and always whole blocks. `more`: there are further ones.
   */
  appearances(address: Address, start: SearchStart, size: number): Promise<{ hashes: Word[]; more: boolean }>
  /** The transaction that created a contract, and its creator; `undefined` if none did. */
  loadCreator(address: Address): Promise<{ hash: Word; creator: Address } | undefined>
  /** The transaction of a sender with this nonce. `isEarlier` if the nonce is older than its first local one. */
  loadSent(sender: Address, nonce: bigint): Promise<{ hash: Word | undefined; isEarlier: boolean }>
}

/** Maximum number of transactions that a page's last block may add. */
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
      const nonceOf = (record: TransactionRecord) => decodeStoredTransaction(record).nonce
      const first = await loadSentTransaction(queries, sender, 0)
      if (!first || nonceOf(first) > nonce) return { hash: undefined, isEarlier: true }
      const found = await loadSentTransaction(queries, sender, Number(nonce - nonceOf(first)))
      return { hash: found && nonceOf(found) === nonce ? found.hash : undefined, isEarlier: false }
    },
  }
}
