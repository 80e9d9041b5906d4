import type { Address } from 'viem'
import { useAction } from '../../../lib/actions/useAction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import type { FunctionOverride } from '../../../lib/state/overrides.ts'

export type NewOverride = {
  contractAddress: Address
  /** JSON of one fragment, or a signature. */
  functionAbi: string
  inputParams: string[] | null
  returnValues: string[]
}

export function useAddOverride() {
  return useAction(
    (input: NewOverride) => rpc('dev_addFunctionOverride', input),
    () => 'Override added',
  )
}

export function useUpdateOverride() {
  return useAction(
    ({ id, returnValues }: { id: string; returnValues: string[] }) =>
      rpc('dev_updateFunctionOverride', id, returnValues),
    () => 'Override updated',
  )
}

export function useToggleOverride() {
  return useAction(
    ({ id, enabled }: FunctionOverride) =>
      rpc(enabled ? 'dev_disableFunctionOverride' : 'dev_enableFunctionOverride', id),
    (_, { enabled }) => (enabled ? 'Override disabled' : 'Override enabled'),
  )
}

export function useRemoveOverride() {
  return useAction(
    ({ id }: FunctionOverride) => rpc('dev_removeFunctionOverride', id),
    () => 'Override removed',
    async ({ contractAddress, functionAbi, inputParams, returnValues, enabled }) => {
      const { id } = await rpc('dev_addFunctionOverride', {
        contractAddress,
        functionAbi,
        inputParams,
        returnValues: [...returnValues],
      })
      if (!enabled) await rpc('dev_disableFunctionOverride', id)
    },
  )
}
