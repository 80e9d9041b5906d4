import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

export type Sources = Result<'dev_getContractSources'>

/** The sources of a contract and of its implementations; empty when they are unknown. */
export function useSources(address: Address | undefined) {
  return useQuery({
    queryKey: ['network', 'sources', address?.toLowerCase()],
    queryFn: () => rpc('dev_getContractSources', address as Address),
    enabled: address !== undefined,
  })
}
