import { useQuery } from '@tanstack/react-query'
import { networkInfoKey } from '../rpc/queryClient.ts'
import { type Result, rpc } from '../rpc/rpc.ts'
import { useConnection } from './connection.ts'

export type NetworkInfo = Result<'dev_getNetworkInfo'>

/** How often it is asked for: the network sends it when blocks arrive, but not when the live chain stops responding. */
const pollMs = { live: 5_000, otherwise: 2_000 }

export function useNetworkInfo() {
  const isLive = useConnection() === 'live'
  return useQuery({
    queryKey: networkInfoKey,
    queryFn: () => rpc('dev_getNetworkInfo'),
    refetchInterval: isLive ? pollMs.live : pollMs.otherwise,
  })
}
