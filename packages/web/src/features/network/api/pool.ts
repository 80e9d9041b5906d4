import { useQuery } from '@tanstack/react-query'
import { blockFrom, type RpcFullBlock, type Transaction } from '../../../lib/chain/block.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** Pending transactions, in the order in which a block would include them. */
export function usePool() {
  return useQuery({
    queryKey: ['head', 'pool'],
    async queryFn(): Promise<Transaction[]> {
      const block = await rpc<RpcFullBlock | null>('eth_getBlockByNumber', 'pending', true)
      return block ? blockFrom(block).transactions.map((transaction) => ({ ...transaction, blockNumber: null })) : []
    },
  })
}
