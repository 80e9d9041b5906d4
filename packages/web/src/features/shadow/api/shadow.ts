import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type ShadowStatus = Result<'dev_getShadow'>
export type Divergence = Result<'dev_getDivergences'>['items'][number]
export type Invariant = Result<'dev_getInvariants'>[number]

const pageSize = 50

export function useShadow() {
  return useQuery({ queryKey: ['head', 'shadow'], queryFn: () => rpc('dev_getShadow') })
}

export function useSetShadow() {
  return useAction(
    (enabled: boolean) => rpc('dev_setShadow', { enabled }),
    (_, enabled) => (enabled ? 'Shadowing the live chain' : 'Stopped shadowing'),
  )
}

/** What diverged, newest first, page by page. `isCascade`: only consequences of others, or none of them. */
export function useDivergences(isCascade: boolean | undefined) {
  return useInfiniteQuery({
    queryKey: ['head', 'divergences', String(isCascade)],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      rpc('dev_getDivergences', {
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
        ...(isCascade !== undefined && { isCascade }),
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

export function useInvariants() {
  return useQuery({ queryKey: ['head', 'invariants'], queryFn: () => rpc('dev_getInvariants') })
}
