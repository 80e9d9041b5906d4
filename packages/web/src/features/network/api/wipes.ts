import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { formatCount } from '../../../format/amount.ts'
import { useAction } from '../../../lib/actions/useAction.ts'
import { type Params, type Result, rpc } from '../../../lib/rpc/rpc.ts'

export type WipeSchedule = Result<'mock_getWipeSchedule'>

export function useWipeSchedule() {
  return useQuery({ queryKey: ['head', 'wipeSchedule'], queryFn: () => rpc('mock_getWipeSchedule') })
}

export function useSetWipeSchedule() {
  return useAction(
    (schedule: Params<'mock_setWipeSchedule'>[0]) => rpc('mock_setWipeSchedule', schedule),
    () => 'Wipe schedule saved',
  )
}

export function useWipe() {
  return useAction(
    (routers: Address[]) => rpc('mock_wipeLocalState', { routers }),
    ({ accountsCleared, slotsCleared, allowancesKept }) =>
      `Wiped ${formatCount(accountsCleared, 'account')} and ${formatCount(slotsCleared, 'slot')}; kept ${formatCount(allowancesKept, 'allowance')}`,
  )
}
