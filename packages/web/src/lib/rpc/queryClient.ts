import { QueryClient } from '@tanstack/react-query'
import { RpcError } from '../../errors/rpcError.ts'
import { live, type Topic } from './live.ts'

/**
 * How long the data of a query stays valid; the first part of every query key.
 * `fixed`: a sealed block never changes. `head`: until the next block or write. `network`: until the settings of the
 * network change. `info`: until the network sends or is asked for it again. `tracked`: until a sample is recorded. `local`: until a local transaction or write; a block of the live
 * chain alone does not refetch it, because each read of untouched state would be a request to the live chain.
 */
export type Lifetime = 'fixed' | 'head' | 'network' | 'info' | 'tracked' | 'local'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // An error answer stays the same when the request is repeated.
      retry: (count, error) => !(error instanceof RpcError) && count < 2,
      retryDelay: 700,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** The data that each topic makes stale. `dev_network` brings its data with it. */
const changedBy: Record<Topic, readonly Lifetime[]> = {
  newHeads: ['head', 'local'],
  emptyHeads: ['head'],
  newPendingTransactions: ['head'],
  dev_network: [],
  dev_changes: ['head', 'network', 'tracked', 'local'],
  dev_tracked: ['tracked'],
}

/** The query whose data the topic `dev_network` sends. */
export const networkInfoKey = ['info', 'network'] as const

/** Blocks can arrive hundreds of times a second. */
const shortestGapMs = 400

/** Refetches the visible data that the network reports as changed. */
export function refreshOnChanges(): void {
  const due = new Set<Lifetime>()
  let info: unknown
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const refresh = () => {
    timer = undefined
    last = Date.now()
    for (const lifetime of due) void queryClient.invalidateQueries({ queryKey: [lifetime] })
    due.clear()
    if (info !== undefined) queryClient.setQueryData(networkInfoKey, info)
    info = undefined
  }
  live.onChange((topic, result) => {
    if (topic === 'dev_network') info = result
    // Without a subscription.
    else if (result === undefined) due.add('info')
    for (const lifetime of changedBy[topic]) due.add(lifetime)
    if (timer === undefined) timer = setTimeout(refresh, Math.max(0, last + shortestGapMs - Date.now()))
  })
}

/** Refetches everything that can change, after an action. */
export async function refreshAll(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'fixed' })
}
