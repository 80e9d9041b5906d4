import { useQuery } from '@tanstack/react-query'
import { type Result, rpc } from '../rpc/rpc.ts'

export type NetworkInfo = Result<'dev_getNetworkInfo'>

export function useNetworkInfo() {
  return useQuery({
    queryKey: ['head', 'networkInfo'],
    queryFn: () => rpc('dev_getNetworkInfo'),
    // The head of the live chain moves without local blocks.
    refetchInterval: 2000,
  })
}
