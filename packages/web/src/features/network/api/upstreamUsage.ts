import { useQuery } from '@tanstack/react-query'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** The requests to the live chain; `null` for a network without a fork. */
export function useUpstreamUsage() {
  return useQuery({ queryKey: ['head', 'upstreamUsage'], queryFn: () => rpc('dev_getUpstreamUsage') })
}
