import { useQuery } from '@tanstack/react-query'
import { type Address, formatTransaction, type Hex, type RpcTransaction } from 'viem'
import type { Transaction } from '../../../lib/chain/block.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

type Found = { txs: RpcTransaction[]; receipts: { timestamp: Hex; status: Hex }[] }

export type PastTransaction = {
  transaction: Transaction
  /** Of its block, in seconds. */
  timestamp: bigint
  failed: boolean
}

/** The latest transactions in which an address called or was called. */
export function useTransactionsOf(address: Address, count: number) {
  return useQuery({
    queryKey: ['head', 'transactionsOf', address.toLowerCase(), count],
    async queryFn(): Promise<PastTransaction[]> {
      const { txs, receipts } = await rpc<Found>('ots_searchTransactionsBefore', address, '0x0', count)
      return txs.map((raw, index) => ({
        transaction: formatTransaction(raw),
        timestamp: BigInt(receipts[index]?.timestamp ?? 0),
        failed: receipts[index]?.status === '0x0',
      }))
    },
  })
}
