import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../rpc/rpc.ts'

/** What dev_getNetworkInfo answers. */
export type NetworkInfo = {
  version: string
  chainId: number
  head: { number: number; hash: Hex; timestamp: string }
  base: { number: number; hash: Hex }
  origin: { number: number; hash: Hex }
  mode: string
  accounts: Address[]
  upstream: {
    url: string
    chainId: number
    head: number
    headTimestamp: string
    blocksAhead: number
    reachable: boolean
    lastContactAt: string | null
  } | null
  dataDirectory: string | null
  startedAt: string
}

export function useNetworkInfo() {
  return useQuery({
    queryKey: ['head', 'networkInfo'],
    queryFn: () => rpc<NetworkInfo>('dev_getNetworkInfo'),
    // Upstream's head moves even when no local block is sealed.
    refetchInterval: 2000,
  })
}
