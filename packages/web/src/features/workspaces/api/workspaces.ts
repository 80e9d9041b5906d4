import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Abi, Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type Workspace = Result<'dev_getWorkspaces'>[number]

type Answer = Result<'dev_getWorkspaceOverview'>
export type Overview = Omit<Answer, 'contract'> & {
  contract: (Omit<NonNullable<Answer['contract']>, 'abi'> & { abi: Abi }) | null
}

/** A workspace, and the deployment of it that is shown. */
export type Subject = { id: string; address: Address }

export function useWorkspaces() {
  return useQuery({ queryKey: ['network', 'workspaces'], queryFn: () => rpc('dev_getWorkspaces') })
}

/** Without an address, that of the deployment linked last. */
export function useOverview({ id, address }: Partial<Subject>) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'overview', address],
    enabled: id !== undefined,
    queryFn: () => rpc('dev_getWorkspaceOverview', id ?? '', { address }) as Promise<Overview>,
  })
}

export function useRemoveWorkspace() {
  return useAction(
    (id: string) => rpc('dev_removeWorkspace', id),
    () => 'Workspace removed',
  )
}

type List = 'Transactions' | 'Calls' | 'Events' | 'Transfers'
export type Entry<Name extends List> = Result<`dev_getWorkspace${Name}`>['items'][number]
type Page<Name extends List> = { items: Entry<Name>[]; next: string | null }

const pageSize = 100

/** A list of a workspace, page by page. */
export function useWorkspaceList<Name extends List>(
  { id, address }: Subject,
  list: Name,
  filter: Record<string, string> = {},
) {
  return useInfiniteQuery({
    queryKey: ['head', 'workspace', id, address, list, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      rpc(`dev_getWorkspace${list}` as `dev_getWorkspace${List}`, id, {
        limit: pageSize,
        address,
        ...filter,
        ...(pageParam && { cursor: pageParam }),
      }) as Promise<Page<Name>>,
    getNextPageParam: (page) => page.next ?? undefined,
  })
}
