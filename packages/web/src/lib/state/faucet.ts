import type { Address } from 'viem'
import { useAction } from '../actions/useAction.ts'
import { rpc } from '../rpc/rpc.ts'

export type Gift = {
  to: Address
  /** Ether when left out. */
  token?: Address
  /** In the smallest unit. */
  amount: bigint
  /** Whether the amount is added to the balance or replaces it. */
  how: 'add' | 'set'
}

/** Adds or sets ether or a token balance. */
export function useFund() {
  return useAction(
    ({ to, token, amount, how }: Gift): Promise<unknown> => {
      if (token === undefined) return rpc(how === 'add' ? 'dev_addBalance' : 'dev_setBalance', to, amount)
      return rpc(how === 'add' ? 'dev_addERC20Balance' : 'dev_setERC20Balance', to, token, amount)
    },
    () => 'Account funded',
  )
}
