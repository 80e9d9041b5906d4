import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { type Result, rpc } from '../rpc/rpc.ts'

/** A local value whose counterpart on the live chain has changed since it became local. */
export type Drift = Result<'dev_getDrift'>[number]

/** Each check reads every local value from the live chain. */
const driftEveryMs = 5 * 60_000

/** Compares the local values of one account, or of all, with the live chain. */
export function useDrift(address?: Address) {
  return useQuery({
    queryKey: ['network', 'drift', address?.toLowerCase() ?? 'all'],
    queryFn: () => rpc('dev_getDrift', address && { address }),
    refetchInterval: driftEveryMs,
  })
}
