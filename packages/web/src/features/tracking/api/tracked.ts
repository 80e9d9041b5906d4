import { useQueries, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export const itemTypes = ['native-token-balance', 'erc20-balance', 'function-result', 'storage-variable'] as const
export const triggers = ['every-tx', 'every-n-blocks', 'cron'] as const
export const periods = ['10min', '1h', '1d', '1w', '1m'] as const
export type Period = (typeof periods)[number]

export type RecordedValue = { value: string; blockNumber: number; timestamp: string; txHash?: string }

export type TrackedDefinition = {
  address: string
  name: string
  type: (typeof itemTypes)[number]
  functionAbi?: string | null
  functionArgs?: string | null
  functionOutputPath?: string | null
  recordTrigger: (typeof triggers)[number]
  trackingFrequency?: number | null
  tags: string[]
}

export type TrackedItem = TrackedDefinition & {
  id: string
  address: Address
  createdAt: string
  /** Why there was no value when one was to be recorded last. */
  lastError?: string
  latestValue?: RecordedValue | null
}

export type History = {
  values: RecordedValue[]
  /** The value when the window begins. */
  anchor: RecordedValue | null
  periodStart: string
  periodEnd: string
}

export function useTrackedItems(address?: Address) {
  return useQuery({
    queryKey: ['tracked', 'items', address?.toLowerCase() ?? 'all'],
    queryFn: () => rpc<TrackedItem[]>('dev_getTrackedData', { withValues: true, ...(address && { address }) }),
  })
}

/** The most samples of an item that are read for a chart; the newest ones. */
export const chartLimit = 100_000

export function useHistories(ids: readonly string[], period: Period | undefined) {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['tracked', 'history', id, period ?? 'all'],
      queryFn: () => rpc<History>('dev_getTrackedDataValues', id, { limit: chartLimit, ...(period && { period }) }),
      placeholderData: (before: History | undefined) => before,
    })),
  })
}

export function useSaveTracked() {
  return useAction(
    ({ id, definition }: { id?: string; definition: TrackedDefinition }) =>
      id
        ? rpc<TrackedItem>('dev_updateTrackedData', id, definition)
        : rpc<TrackedItem>('dev_addTrackedData', definition),
    ({ name }, { id }) => (id ? `${name} is changed` : `${name} is tracked from the next block on`),
  )
}

export function useRemoveTracked() {
  return useAction(
    (id: string) => rpc('dev_removeTrackedData', id),
    () => 'It is no longer tracked, and its history is gone',
  )
}
