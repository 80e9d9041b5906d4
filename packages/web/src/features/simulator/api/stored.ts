import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Result, rpc } from '../../../lib/rpc/rpc.ts'
import type { SimulationResult } from './simulate.ts'

export type StoredSimulation = Result<'dev_getSimulation'>
export type SimulationEntry = Result<'dev_getSimulations'>['items'][number]

/** A simulation that was saved. The network needs no live chain for it. */
export function useStoredSimulation(id: string) {
  return useQuery({ queryKey: ['network', 'simulation', id], queryFn: () => rpc('dev_getSimulation', id) })
}

/** Those that were saved, newest first, page by page. */
export function useSavedSimulations() {
  return useInfiniteQuery({
    queryKey: ['network', 'simulations'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => rpc('dev_getSimulations', { cursor }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** Runs the calls once more on the same block, and saves what each did. Returns the ids. */
export function useSave() {
  return useAction(async ({ request, simulation }: SimulationResult): Promise<string[]> => {
    const { saved } = await rpc('dev_simulate', { ...request, block: simulation.block.hash, save: true })
    return saved.filter((id) => id !== null)
  })
}

export function useShare(id: string) {
  return useAction(
    (isShared: boolean) => rpc('dev_shareSimulation', id, isShared),
    ({ isShared }) => (isShared ? 'Shared: all who may read this network can open it' : 'No longer shared'),
  )
}
