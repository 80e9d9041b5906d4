import { useQuery } from '@tanstack/react-query'
import { type Params, type Result, rpc } from '../rpc/rpc.ts'

export type Comparison = Result<'dev_compareTransactions'>
export type ComparedStep = NonNullable<NonNullable<Comparison['firstDifference']>['a']>

/** A transaction, or a call with what it runs on. */
export type ComparedRun = Params<'dev_compareTransactions'>[0]

export function useComparison(a: ComparedRun, b: ComparedRun) {
  return useQuery({
    queryKey: ['local', 'comparison', a, b],
    queryFn: () => rpc('dev_compareTransactions', a, b),
    retry: false,
  })
}
