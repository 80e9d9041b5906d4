import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { networkPath } from '../../../location/networkUrl.ts'

export type Branch = Awaited<ReturnType<typeof loadBranches>>[number]

/** At most so many differences are shown. */
const differenceLimit = 100

const loadBranches = () => rpc('dev_getBranches')

/** All branches of this server, oldest first. */
export function useBranches() {
  return useQuery({ queryKey: ['head', 'branches'], queryFn: loadBranches })
}

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

/** The path of a branch's dashboard at this server. */
export const pathOf = ({ url }: Branch): string => new URL(url).pathname

/** Whether this page shows the branch. */
export const isShown = (branch: Branch): boolean => pathOf(branch) === networkPath
