import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { sendersQuery } from '../../../lib/state/impersonation.ts'

export type AccountState = { address: Address; balance: bigint; nonce: number; isImpersonated: boolean }

/** The funded accounts and the impersonated ones. */
export function useAccounts() {
  return useQuery({
    queryKey: ['local', 'accounts'],
    async queryFn(): Promise<AccountState[]> {
      const { funded, impersonated } = await sendersQuery.queryFn()
      const rows = [
        ...funded.map((address) => ({ address, isImpersonated: false })),
        ...impersonated.map((address) => ({ address, isImpersonated: true })),
      ]
      return Promise.all(
        rows.map(async (row) => {
          const [balance, nonce] = await Promise.all([
            rpc<Hex>('eth_getBalance', row.address, 'latest'),
            rpc<Hex>('eth_getTransactionCount', row.address, 'latest'),
          ])
          return { ...row, balance: BigInt(balance), nonce: Number(nonce) }
        }),
      )
    },
  })
}
