import { useQueries, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import type { Period } from '../../../lib/period/period.ts'
import { type Params, type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type TrackedDefinition = Params<'dev_addTrackedData'>[0]
export type TrackedItem = Result<'dev_getTrackedData'>[number]
export type History = Result<'dev_getTrackedDataValues'>

export function useTrackedItems(address?: Address) {
  return useQuery({
    queryKey: ['tracked', 'items', address?.toLowerCase() ?? 'all'],
    queryFn: () => rpc('dev_getTrackedData', { withValues: true, ...(address && { address }) }),
  })
}

/** Samples of an item that a chart loads, at most: the latest ones. */
export const chartLimit = 100_000

export function useHistories(ids: readonly string[], period: Period | undefined) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['tracked', 'history', id, period ?? 'all'],
      queryFn: () => rpc('dev_getTrackedDataValues', id, { limit: chartLimit, ...(period && { period }) }),
      placeholderData: (before: History | undefined) => before,
    })),
  })
}

export function useSaveTracked() {
  return useAction(
    ({ id, definition }: { id?: string; definition: TrackedDefinition }) =>
      id ? rpc('dev_updateTrackedData', id, definition) : rpc('dev_addTrackedData', definition),
    ({ name }, { id }) => (id ? `${name} updated` : `${name} is recorded from the next block`),
  )
}

export function useRemoveTracked() {
  return useAction(
    (id: string) => rpc('dev_removeTrackedData', id),
    () => 'Tracked value and history deleted',
  )
}
