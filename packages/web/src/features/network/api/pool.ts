import { useQuery } from '@tanstack/react-query'
import { formatTransaction, type RpcTransaction } from 'viem'
import type { Transaction } from '../../../lib/chain/block.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** Of the pool, by sender and nonce. */
type PoolContent = { pending: Record<string, Record<string, RpcTransaction>> }

/** Pending transactions that a block can include, by sender and nonce. */
export function usePool() {
  return useQuery({
    queryKey: ['head', 'pool'],
    async queryFn(): Promise<Transaction[]> {
      const { pending } = await rpc<PoolContent>('txpool_content')
      return Object.values(pending).flatMap((byNonce) => Object.values(byNonce).map((raw) => formatTransaction(raw)))
    },
  })
}
