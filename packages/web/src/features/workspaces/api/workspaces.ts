import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Abi, Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type Workspace = {
  id: string
  kind: 'wallet' | 'mainnet-contract' | 'manual'
  name: string
  address: Address | null
  type: 'ERC20' | 'ERC721' | null
  origin: 'manual' | 'import' | null
  version: { id: string; number: number } | null
  deployments: number
  createdAt: string
}

type Account = { balance: string; nonce: string; codeHash: Hex }

export type Overview = {
  workspace: Workspace
  address: Address | null
  account:
    | (Account & {
        local: { balance: boolean; nonce: boolean; code: boolean }
        upstream: Account | null
        followed: boolean
        followedSlots: number
        overrides: number
        trackedItems: number
      })
    | null
  contract: {
    name: string | null
    source: string | null
    code: 'none' | 'upstream' | 'local'
    abi: Abi
    selectors: Hex[]
    explorer: { status: 'verified' | 'unverified' | 'unavailable'; problem: string | null } | null
    proxy: {
      kind: string
      implementations: { address: Address; name: string | null; source: string | null }[]
    } | null
  } | null
  activity: {
    transactions: number
    callsTo: number
    callsBy: number
    failedCallsTo: number
    events: number
    transfers: number
    /** Counting stops here. */
    limit: number
  } | null
}

export function useWorkspaces() {
  return useQuery({ queryKey: ['network', 'workspaces'], queryFn: () => rpc<Workspace[]>('dev_getWorkspaces') })
}

export function useOverview(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'overview'],
    queryFn: () => rpc<Overview>('dev_getWorkspaceOverview', id),
    placeholderData: (before: Overview | undefined) => before,
  })
}

export type NewWorkspace = { name: string; address?: string; abi?: string }

export function useAddWorkspace() {
  return useAction(
    (input: NewWorkspace) =>
      rpc<{ wallet?: { id: string }; mainnetProjectContract?: { id: string }; projectContract?: { id: string } }>(
        'dev_addWorkspace',
        input,
      ),
    () => 'The workspace is there',
  )
}

export function useRemoveWorkspace() {
  return useAction(
    (id: string) => rpc('dev_removeWorkspace', id),
    () => 'The workspace is removed',
  )
}

type Page<Item> = { items: Item[]; next: string | null }

const pageSize = 100

/** A list of a workspace, page by page. */
export function useWorkspaceList<Item>(
  id: string,
  method: 'Transactions' | 'Calls' | 'Events' | 'Transfers',
  filter: Record<string, string> = {},
) {
  return useInfiniteQuery({
    queryKey: ['head', 'workspace', id, method, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      rpc<Page<Item>>(`dev_getWorkspace${method}`, id, {
        limit: pageSize,
        ...filter,
        ...(pageParam && { cursor: pageParam }),
      }),
    getNextPageParam: (page) => page.next ?? undefined,
  })
}
