import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useAction } from '../actions/useAction.ts'
import { rpc } from '../rpc/rpc.ts'

export type Senders = { funded: Address[]; impersonated: Address[] }

/** The accounts that can send without a signature. */
export const sendersQuery = {
  queryKey: ['head', 'senders'],
  async queryFn(): Promise<Senders> {
    const [funded, impersonated] = await Promise.all([
      rpc<Address[]>('eth_accounts'),
      rpc('dev_getImpersonatedAccounts'),
    ])
    return { funded, impersonated }
  },
}

export function useSenders() {
  return useQuery(sendersQuery)
}

export function useImpersonate() {
  return useAction(
    (address: Address) => rpc('dev_impersonateAccount', address),
    () => 'Impersonation started: this account can send without a signature',
  )
}

export function useStopImpersonating() {
  return useAction(
    (address: Address) => rpc('dev_stopImpersonatingAccount', address),
    () => 'Impersonation stopped',
    (address) => rpc('dev_impersonateAccount', address),
  )
}
