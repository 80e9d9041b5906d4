import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { loadAllDivergences } from '@understudy/client/divergences'
import type { Hex } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type ShadowStatus = Result<'dev_getShadow'>
export type Divergence = Result<'dev_getDivergences'>['items'][number]
export type Counts = Result<'dev_getDivergenceCounts'>
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

/** The line where a transaction failed here; `null` if it is not known. */
export function useFailureLine(hash: Hex) {
  return useQuery({
    queryKey: ['failureLine', hash],
    queryFn: async () =>
      (await rpc('dev_getDivergences', { hash, lines: true, expected: true })).items[0]?.line ?? null,
  })
}

export function useDivergenceCounts() {
  return useQuery({ queryKey: ['head', 'divergenceCounts'], queryFn: () => rpc('dev_getDivergenceCounts') })
}

/** The most that a file has. */
const fileLimit = 10_000

/** What diverged, oldest first, and how many transactions came out the same. */
export async function loadReport(): Promise<{ divergences: Divergence[]; same: number }> {
  const divergences = await loadAllDivergences((page) => rpc('dev_getDivergences', page), fileLimit)
  const { counts } = await rpc('dev_getShadow')
  return { divergences, same: counts.same }
}

export function useInvariants() {
  return useQuery({ queryKey: ['head', 'invariants'], queryFn: () => rpc('dev_getInvariants') })
}
