import { useQuery } from '@tanstack/react-query'
import { type RawTransaction, type Transaction, transactionFrom } from '../../../lib/chain/transaction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

/** Transactions that wait for their block, in the order in which it would take them. */
export function usePool() {
  return useQuery({
    queryKey: ['head', 'pool'],
    async queryFn(): Promise<Transaction[]> {
      const block = await rpc<{ transactions: RawTransaction[] } | null>('eth_getBlockByNumber', 'pending', true)
      return (block?.transactions ?? []).map((raw) => ({ ...transactionFrom(raw), blockNumber: undefined }))
    },
  })
}

export function useDropTransaction() {
  return useAction(
    (hash: string) => rpc('anvil_dropTransaction', hash),
    () => 'Dropped',
  )
}
