import { useQuery } from '@tanstack/react-query'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type WipeSchedule = {
  intervalMs: number | null
  onStartup: boolean
  routers: string[]
  lastWipeAt: string | null
}

export function useWipeSchedule() {
  return useQuery({ queryKey: ['head', 'wipeSchedule'], queryFn: () => rpc<WipeSchedule>('mock_getWipeSchedule') })
}

export function useSetWipeSchedule() {
  return useAction(
    (schedule: Omit<WipeSchedule, 'lastWipeAt'>) => rpc<WipeSchedule>('mock_setWipeSchedule', schedule),
    () => 'The schedule is set',
  )
}

type Wiped = { accountsCleared: number; slotsCleared: number; allowancesKept: number }

export function useWipe() {
  return useAction(
    (routers: readonly string[]) => rpc<Wiped>('mock_wipeLocalState', { routers }),
    ({ accountsCleared, slotsCleared, allowancesKept }) =>
      `Gave back ${accountsCleared} accounts and ${slotsCleared} slots; kept ${allowancesKept} allowances`,
  )
}
