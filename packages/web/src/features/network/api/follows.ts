import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type FollowedSet = { accounts: Address[]; slots: Record<Address, Hex[]> }

export function useFollowed() {
  return useQuery({ queryKey: ['head', 'followed'], queryFn: () => rpc<FollowedSet>('dev_getFollowed') })
}

export function useFollowAccount() {
  return useAction(
    (address: string) => rpc<{ residueCleared: number }>('dev_followAccount', address),
    ({ residueCleared }) =>
      residueCleared > 0
        ? `Follows the live chain; ${residueCleared} local slots were given back`
        : 'Follows the live chain',
  )
}

export function useUnfollow() {
  return useAction(
    ({ address, slots }: { address: Address; slots?: readonly Hex[] }) =>
      slots ? rpc('dev_unfollowSlots', address, slots) : rpc('dev_unfollowAccount', address),
    () => 'No longer followed',
  )
}
