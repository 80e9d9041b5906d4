import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { formatCount } from '../../format/amount.ts'
import { useAction } from '../actions/useAction.ts'
import { rpc } from '../rpc/rpc.ts'

export function useFollowed() {
  return useQuery({ queryKey: ['network', 'followed'], queryFn: () => rpc('dev_getFollowed') })
}

/** Slots of an account, or the whole account when they are left out. */
type Target = { address: Address; slots?: readonly string[] }

const follow = ({ address, slots }: Target): Promise<{ residueCleared: number }> =>
  slots ? rpc('dev_followSlots', address, [...slots]) : rpc('dev_followAccount', address)

export function useFollow() {
  return useAction(follow, ({ residueCleared }) => `Following the live chain${cleared(residueCleared)}`)
}

export function useUnfollow() {
  return useAction(
    ({ address, slots }: Target): Promise<unknown> =>
      slots ? rpc('dev_unfollowSlots', address, [...slots]) : rpc('dev_unfollowAccount', address),
    () => 'No longer following the live chain',
    follow,
  )
}

export function useResync() {
  return useAction(
    (address: Address) => rpc('dev_resyncAccount', address),
    ({ slotsCleared }) => `Account resynced with the live chain${cleared(slotsCleared)}`,
  )
}

/** Resets one slot to the live chain. The next write makes it local again. */
export function useResyncSlot() {
  return useAction(
    async ({ address, slot }: { address: Address; slot: Hex }) => {
      await rpc('dev_followSlots', address, [slot])
      await rpc('dev_unfollowSlots', address, [slot])
    },
    () => 'Slot resynced with the live chain',
  )
}

const cleared = (slots: number) => (slots > 0 ? `; ${formatCount(slots, 'local slot')} reset` : '')
