import { useQuery } from '@tanstack/react-query'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** What was asked of the live chain; `null` for a network that forks nothing. */
export function useUpstreamUsage() {
  return useQuery({ queryKey: ['head', 'upstreamUsage'], queryFn: () => rpc('dev_getUpstreamUsage') })
}
