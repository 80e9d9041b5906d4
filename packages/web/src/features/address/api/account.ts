import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export type AccountState = {
  balance: bigint
  nonce: number
  code: Hex
  isFollowed: boolean
  followedSlots: Hex[]
  isImpersonated: boolean
}

export function useAccount(address: Address) {
  return useQuery({
    queryKey: ['head', 'account', address.toLowerCase()],
    async queryFn(): Promise<AccountState> {
      const [balance, nonce, code, followed, impersonated] = await Promise.all([
        rpc<Hex>('eth_getBalance', address, 'latest'),
        rpc<Hex>('eth_getTransactionCount', address, 'latest'),
        rpc<Hex>('eth_getCode', address, 'latest'),
        rpc('dev_getFollowed'),
        rpc('dev_getImpersonatedAccounts'),
      ])
      const key = address.toLowerCase() as Address
      return {
        balance: BigInt(balance),
        nonce: Number(nonce),
        code,
        isFollowed: followed.accounts.includes(key),
        followedSlots: followed.slots[key] ?? [],
        isImpersonated: impersonated.includes(key),
      }
    },
  })
}

type Write = { change: () => Promise<unknown>; done: string }

/** Something that is changed of an account, and what is said when it is. */
export function useAccountAction() {
  return useAction(
    ({ change }: Write) => change(),
    (_, { done }) => done,
  )
}

/** Follows slots, or gives them up. */
export function useSlotAction(address: Address) {
  return useAction(
    ({ method, slot }: { method: 'dev_followSlots' | 'dev_unfollowSlots'; slot: string }) =>
      rpc(method, address, [slot]),
    (_, { method }) =>
      method === 'dev_followSlots' ? 'The slot follows the live chain' : 'The slot is no longer followed',
  )
}

export function useSlot(address: Address, slot: string) {
  return useQuery({
    queryKey: ['head', 'slot', address.toLowerCase(), slot],
    queryFn: () => rpc<Hex>('eth_getStorageAt', address, slotKey(slot), 'latest'),
  })
}

/** A slot as people write it (`3`, `0x3`), as JSON-RPC takes it. */
export function slotKey(slot: string): Hex {
  return /^\d+$/.test(slot) ? `0x${BigInt(slot).toString(16)}` : (slot as Hex)
}
