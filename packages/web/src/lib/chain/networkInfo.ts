import { useQuery } from '@tanstack/react-query'
import { type Result, rpc } from '../rpc/rpc.ts'

export type NetworkInfo = Result<'dev_getNetworkInfo'>

export function useNetworkInfo() {
  return useQuery({
    queryKey: ['head', 'networkInfo'],
    queryFn: () => rpc('dev_getNetworkInfo'),
    // Upstream's head moves even when no local block is sealed.
    refetchInterval: 2000,
  })
}
