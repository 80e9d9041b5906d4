import type { Address } from 'viem'
import type { FunctionOverride } from '../../../lib/contracts/overrides.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'
import { useAction } from '../../../lib/rpc/useAction.ts'

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
    () => 'The function is overridden',
  )
}

export function useUpdateOverride() {
  return useAction(
    ({ id, returnValues }: { id: string; returnValues: string[] }) =>
      rpc('dev_updateFunctionOverride', id, returnValues),
    () => 'The values are replaced',
  )
}

export function useToggleOverride() {
  return useAction(
    ({ id, enabled }: FunctionOverride) =>
      rpc(enabled ? 'dev_disableFunctionOverride' : 'dev_enableFunctionOverride', id),
    (_, { enabled }) => (enabled ? 'Calls go through to the real contract' : 'The override is in force'),
  )
}

export function useRemoveOverride() {
  return useAction(
    (id: string) => rpc('dev_removeFunctionOverride', id),
    () => 'The override is removed',
  )
}
