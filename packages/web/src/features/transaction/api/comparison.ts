import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type Comparison = Result<'dev_compareTransactions'>
export type ComparedStep = NonNullable<NonNullable<Comparison['parting']>['a']>

/**
 * Runs a transaction and what it is compared with: the same on the live chain (`live`), the same without function overrides
 * (`plain`), or the transaction with another hash.
 */
export function useComparison(hash: Hex, against: string) {
  return useQuery({
    queryKey: ['local', 'comparison', hash, against],
    queryFn: () => rpc('dev_compareTransactions', hash, otherRun(hash, against)),
    retry: false,
  })
}

function otherRun(hash: Hex, against: string) {
  if (against === 'live') return { transaction: hash, live: true }
  if (against === 'plain') return { transaction: hash, functionOverrides: false }
  return against as Hex
}
