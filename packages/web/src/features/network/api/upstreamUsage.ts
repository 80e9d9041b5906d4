import { useQuery } from '@tanstack/react-query'
import { rpcIfKnown } from '../../../lib/rpc/rpc.ts'

type MethodUsage = {
  /** What the network wanted. */
  requests: number
  /** Of these, what was asked for already at that moment. */
  shared: number
  /** What was sent. */
  calls: number
  retries: number
  errors: number
}
export type UpstreamUsage = {
  httpRequests: number
  bytesSent: number
  bytesReceived: number
  methods: Record<string, MethodUsage>
}

/** What was asked of the live chain; `null` for a network that forks nothing. */
export function useUpstreamUsage() {
  return useQuery({
    queryKey: ['head', 'upstreamUsage'],
    queryFn: () => rpcIfKnown<UpstreamUsage | null>('dev_getUpstreamUsage'),
  })
}
