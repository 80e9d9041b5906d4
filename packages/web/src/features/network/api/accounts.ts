import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type AccountState = { address: Address; balance: bigint; nonce: number; isImpersonated: boolean }

/** The funded accounts and those that may send without a signature. */
export function useAccounts() {
  return useQuery({
    queryKey: ['head', 'accounts'],
    async queryFn(): Promise<AccountState[]> {
      const [funded, impersonated] = await Promise.all([
        rpc<Address[]>('eth_accounts'),
        rpc('dev_getImpersonatedAccounts'),
      ])
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

export function useImpersonate() {
  return useAction(
    (address: Address) => rpc('dev_impersonateAccount', address),
    () => 'It may send without a signature now',
  )
}

export function useStopImpersonating() {
  return useAction(
    (address: Address) => rpc('dev_stopImpersonatingAccount', address),
    () => 'It needs a signature again',
  )
}
