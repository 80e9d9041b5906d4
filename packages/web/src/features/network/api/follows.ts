import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { formatCount } from '../../../lib/format/amount.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export function useFollowed() {
  return useQuery({ queryKey: ['head', 'followed'], queryFn: () => rpc('dev_getFollowed') })
}

export function useFollowAccount() {
  return useAction(
    (address: Address) => rpc('dev_followAccount', address),
    ({ residueCleared }) =>
      residueCleared > 0
        ? `Follows the live chain; ${formatCount(residueCleared, 'local slot')} given back`
        : 'Follows the live chain',
  )
}

export function useUnfollow() {
  return useAction(
    ({ address, slots }: { address: Address; slots?: readonly Hex[] }): Promise<unknown> =>
      slots ? rpc('dev_unfollowSlots', address, [...slots]) : rpc('dev_unfollowAccount', address),
    () => 'No longer followed',
  )
}

export function useResync() {
  return useAction(
    (address: Address) => rpc('dev_resyncAccount', address),
    ({ slotsCleared }) => `Reads the live chain again; ${formatCount(slotsCleared, 'slot')} given back`,
  )
}
