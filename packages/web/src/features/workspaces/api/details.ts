import { useQuery } from '@tanstack/react-query'
import type { Period } from '../../../lib/period/period.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'
import type { Subject } from './workspaces.ts'

export function useAssets({ id, address }: Subject) {
  return useQuery({
    queryKey: ['head', 'workspace', id, address, 'assets'],
    queryFn: () => rpc('dev_getWorkspaceAssets', id, { limit: 200, address }),
  })
}

export function useMethods({ id, address }: Subject) {
  return useQuery({
    queryKey: ['head', 'workspace', id, address, 'methods'],
    queryFn: () => rpc('dev_getWorkspaceMethods', id, { address }),
  })
}

/** The gas of each function of a project contract by version; empty for other workspaces. */
export function useGasByVersion({ id }: Subject) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'gasByVersion'],
    queryFn: () => rpc('dev_getWorkspaceGas', id),
  })
}

export function useHistory(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'history'],
    queryFn: () => rpc('dev_getWorkspaceHistory', id, { limit: 200 }),
  })
}

/** Counts over time: in a period, or since the first activity. */
export function useActivity({ id, address }: Subject, period: Period | undefined) {
  return useQuery({
    queryKey: ['head', 'workspace', id, address, 'activity', period ?? 'all'],
    queryFn: () => rpc('dev_getWorkspaceActivity', id, { parts: 60, period, address }),
    placeholderData: (before: Activity | undefined) => before,
  })
}

export type Activity = Result<'dev_getWorkspaceActivity'>
