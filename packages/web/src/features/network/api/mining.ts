import { numberToHex } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export function useSetMode() {
  return useAction(
    (mode: string) => rpc('dev_setMiningMode', mode),
    (mode) => `Mining mode set to ${mode}`,
  )
}

export function useMine() {
  return useAction(
    (count: number) => rpc('anvil_mine', numberToHex(count)),
    (_, count) => (count === 1 ? 'Block mined' : `${count} blocks mined`),
  )
}
