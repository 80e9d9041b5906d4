import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import type { Period } from '../../../lib/period/period.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export function useAssets(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'assets'],
    queryFn: () => rpc('dev_getWorkspaceAssets', id, { limit: 200 }),
  })
}

export function useMethods(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'methods'],
    queryFn: () => rpc('dev_getWorkspaceMethods', id),
  })
}

export function useHistory(id: string) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'history'],
    queryFn: () => rpc('dev_getWorkspaceHistory', id, { limit: 200 }),
  })
}

/** Counts over time: in a period, or since the first activity. */
export function useActivity(id: string, period: Period | undefined) {
  return useQuery({
    queryKey: ['head', 'workspace', id, 'activity', period ?? 'all'],
    queryFn: () => rpc('dev_getWorkspaceActivity', id, { parts: 60, period }),
    placeholderData: (before: Activity | undefined) => before,
  })
}

export type Activity = Result<'dev_getWorkspaceActivity'>

export type Sources = Result<'dev_getContractSources'>

/** The sources of a contract and of its implementations; empty when they are unknown. */
export function useSources(address: Address) {
  return useQuery({
    queryKey: ['network', 'sources', address.toLowerCase()],
    queryFn: () => rpc('dev_getContractSources', address),
  })
}
