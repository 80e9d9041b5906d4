import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { type Params, type Result, rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type WipeSchedule = Result<'mock_getWipeSchedule'>

export function useWipeSchedule() {
  return useQuery({ queryKey: ['head', 'wipeSchedule'], queryFn: () => rpc('mock_getWipeSchedule') })
}

export function useSetWipeSchedule() {
  return useAction(
    (schedule: Params<'mock_setWipeSchedule'>[0]) => rpc('mock_setWipeSchedule', schedule),
    () => 'The schedule is set',
  )
}

export function useWipe() {
  return useAction(
    (routers: Address[]) => rpc('mock_wipeLocalState', { routers }),
    ({ accountsCleared, slotsCleared, allowancesKept }) =>
      `Gave back ${accountsCleared} accounts and ${slotsCleared} slots; kept ${allowancesKept} allowances`,
  )
}
