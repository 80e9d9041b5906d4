import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../../lib/actions/useAction.ts'
import type { Branch } from '../../../lib/networks/networks.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

/** At most so many differences are shown. */
const differenceLimit = 100

export function useCreateBranch() {
  return useAction(
    (name: string) => rpc('dev_createBranch', name ? { name } : {}),
    ({ name }) => `Branch ${name} made`,
  )
}

export function useRemoveBranch() {
  return useAction(
    ({ id }: Branch) => rpc('dev_removeBranch', id),
    (_, { name }) => `Branch ${name} removed`,
  )
}

export function usePromoteBranch() {
  return useAction(
    ({ id }: Branch) => rpc('dev_promoteBranch', id),
    ({ accounts, slots }, { name }) => `Promoted ${name}: ${accounts} accounts and ${slots} slots`,
  )
}

/** What differs between a branch and the network of this page. */
export function useComparison({ id }: Branch) {
  return useQuery({
    queryKey: ['head', 'branchComparison', id],
    queryFn: () => rpc('dev_compareBranches', id, null, { limit: differenceLimit }),
  })
}
