import { useInfiniteQuery } from '@tanstack/react-query'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type Change = Result<'dev_getAuditLog'>[number]

const pageSize = 100

/** The calls that changed the network, newest first, page by page. */
export function useChanges(method: string | undefined) {
  return useInfiniteQuery({
    queryKey: ['head', 'changes', method ?? 'all'],
    initialPageParam: undefined as number | undefined,
    async queryFn({ pageParam: before }) {
      const entries = await rpc('dev_getAuditLog', { limit: pageSize, before, method })
      const next = entries.length < pageSize ? null : String(entries.at(-1)?.id)
      return { items: entries.filter((entry) => entry.method !== 'dev_getAuditLog'), next }
    },
    getNextPageParam: ({ next }) => (next === null ? undefined : Number(next)),
  })
}
