import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

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

/** In wei. */
export function useSetBalance(address: Address) {
  return useAction(
    (wei: bigint) => rpc('dev_setBalance', address, wei),
    () => 'Balance updated',
  )
}

export function useSetNonce(address: Address) {
  return useAction(
    (nonce: string) => rpc('dev_setNonce', address, nonce),
    () => 'Nonce updated',
  )
}

export function useSetSlot(address: Address) {
  return useAction(
    ({ slot, word }: { slot: string; word: Hex }) => rpc('dev_setStorageAt', address, slot, word),
    () => 'Slot updated',
  )
}

export function useSetCode(address: Address) {
  return useAction(
    (code: Hex) => rpc('dev_setCode', address, code),
    () => 'Code updated',
  )
}

export function useSlot(address: Address, slot: string) {
  return useQuery({
    queryKey: ['head', 'slot', address.toLowerCase(), slot],
    queryFn: () => rpc<Hex>('eth_getStorageAt', address, slotKey(slot), 'latest'),
  })
}

/** A slot as entered (`3`, `0x3`), in the form that JSON-RPC expects. */
export function slotKey(slot: string): Hex {
  return /^\d+$/.test(slot) ? `0x${BigInt(slot).toString(16)}` : (slot as Hex)
}
