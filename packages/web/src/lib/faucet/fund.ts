import type { Address } from 'viem'
import { rpc } from '../rpc/rpc.ts'
import { useAction } from '../rpc/useAction.ts'

export type Gift = {
  to: Address
  /** Ether when left out. */
  token?: Address
  /** In the smallest unit. */
  amount: bigint
  /** Whether the amount comes on top of what is there, or replaces it. */
  how: 'add' | 'set'
}

/** Gives ether or a token out of nothing. */
export function useFund() {
  return useAction(
    ({ to, token, amount, how }: Gift): Promise<unknown> => {
      if (token === undefined) return rpc(how === 'add' ? 'dev_addBalance' : 'dev_setBalance', to, amount)
      return rpc(how === 'add' ? 'dev_addERC20Balance' : 'dev_setERC20Balance', to, token, amount)
    },
    () => 'Funded',
  )
}
