import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

type Given = {
  name: string
  address: Address
  /** JSON. */
  abi: string
  /** The workspace that the contract has already. */
  before: string | undefined
}

/** Saves the ABI of a contract in its workspace. */
export function useSaveAbi() {
  return useAction(
    async ({ name, address, abi, before }: Given) => {
      await rpc('dev_addWorkspace', { name, address, abi })
      // A workspace without an ABI would show the same contract a second time.
      if (before?.startsWith('mpc_')) await rpc('dev_removeWorkspace', before)
    },
    (_, { name }) => `ABI saved in the workspace ${name}`,
  )
}
