import type { Hex } from '@understudy/evm'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import type { Database } from '../storage/database.ts'
import { loadPendingTransactions } from '../storage/records/chain/pendingTransactions.ts'
import { loadTransaction } from '../storage/records/chain/transactions.ts'

/** Looks whether a transaction whose sending broke off has arrived. Answers what its sender would have been answered. */
export function createResultFinder({ queries }: Pick<Database, 'queries'>) {
  return async (method: string, params: unknown): Promise<unknown> => {
    const [raw] = Array.isArray(params) ? params : []
    if (method !== 'eth_sendRawTransaction' || typeof raw !== 'string' || !/^0x([\da-f]{2})+$/i.test(raw))
      return undefined
    const hash = keccak(bytesFromHex(raw as Hex))
    const isKnown = (await loadTransaction(queries, hash)) ?? (await loadPendingTransactions(queries, [hash]))[0]
    return isKnown && hash
  }
}
