import { useQuery } from '@tanstack/react-query'
import { type AbiFunction, type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { selectorOf } from '../../../lib/abi/functions.ts'
import { nameValues, valueText } from '../../../lib/abi/value.ts'
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

/** What a function without parameters returns now, as text: where an override of it begins. */
export function useCurrentAnswer(contract: Address | undefined, fn: AbiFunction | undefined) {
  return useQuery({
    queryKey: ['local', 'answer', contract?.toLowerCase(), fn && selectorOf(fn)],
    enabled: contract !== undefined && fn !== undefined && fn.inputs.length === 0,
    async queryFn(): Promise<string[]> {
      const abi = [fn as AbiFunction]
      const functionName = fn?.name
      const data = await rpc<Hex>(
        'eth_call',
        { to: contract, data: encodeFunctionData({ abi, functionName }) },
        'latest',
      )
      const values = nameValues(abi[0]?.outputs ?? [], decodeFunctionResult({ abi, functionName, data }))
      return values.map(({ value }) => valueText(value))
    },
  })
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
