import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

export function useSetMode() {
  return useAction(
    (mode: string) => rpc('dev_setMiningMode', mode),
    (mode) => `Blocks now come about: ${mode}`,
  )
}

export function useMine() {
  return useAction(
    (count: number) => rpc('anvil_mine', `0x${count.toString(16)}`),
    (_, count) => (count === 1 ? 'Sealed a block' : `Sealed ${count} blocks`),
  )
}
