import { QueryClient } from '@tanstack/react-query'
import { live, type Topic } from './live.ts'
import { RpcError } from './rpcError.ts'

/**
 * How long what a query read stays true; the first part of every query key.
 * `fixed`: a sealed block never changes. `head`: until the next block or write. `network`: until somebody changes the
 * network's settings. `tracked`: until a sample is recorded.
 */
export type Lifetime = 'fixed' | 'head' | 'network' | 'tracked'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60_000,
      refetchOnWindowFocus: false,
      // The network tells what is wrong; asking again would not change it.
      retry: (count, error) => !(error instanceof RpcError) && count < 2,
      retryDelay: 700,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** What each kind of news makes stale. */
const changedBy: Record<Topic, readonly Lifetime[]> = {
  newHeads: ['head'],
  newPendingTransactions: ['head'],
  dev_network: ['head'],
  dev_changes: ['head', 'network', 'tracked'],
  dev_tracked: ['tracked'],
}

/** Blocks may come hundreds a second; people read a few. */
const shortestGapMs = 400

/** Reads anew what the network says has changed, on pages that show it. */
export function refreshOnNews(): void {
  const due = new Set<Lifetime>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  const refresh = () => {
    timer = undefined
    last = Date.now()
    for (const lifetime of due) void queryClient.invalidateQueries({ queryKey: [lifetime] })
    due.clear()
  }
  live.onNews((topic) => {
    for (const lifetime of changedBy[topic]) due.add(lifetime)
    if (timer === undefined) timer = setTimeout(refresh, Math.max(0, last + shortestGapMs - Date.now()))
  })
}

/** After a change of ours: everything but what can't change. */
export async function refreshAll(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'fixed' })
}
